"""What a run tells: files, the report page, the story of a finding, comparisons, the copy for readers."""
