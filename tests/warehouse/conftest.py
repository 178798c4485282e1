import pytest

from tests.warehouse.base import new_warehouse


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    yield connection
    connection.close()
