// Two conveniences; every page works without them.
"use strict";

// A choice in a list of filters applies at once.
document.querySelectorAll("select[data-enviar]").forEach((choice) => {
  choice.addEventListener("change", () => {
    // Empty choices stay out of the address, so that it can be read and sent to somebody.
    choice.form.querySelectorAll("select, input").forEach((field) => { if (!field.value) field.disabled = true; });
    choice.form.submit();
  });
});

// An open page notices that another night was published and offers it; it never changes under the reader.
const notice = document.getElementById("novidade");
const own = document.body.dataset.versao;
const problem = document.querySelector(".problema") !== null;

async function ask() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/versao", { cache: "no-store" });
    if (!answer.ok) return;
    const { versao } = await answer.json();
    if (own && versao && versao !== own) {
      notice.querySelector("a").setAttribute("href", location.href);
      notice.hidden = false;
    }
    if (!own && problem && versao && versao !== ask.seen && ask.seen !== undefined) location.reload();
    ask.seen = versao;
  } catch (error) { /* the server is away: the page stays as it is */ }
}

if (notice) {
  notice.querySelector("a").addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
  ask();
  setInterval(ask, 1000 * Number(document.body.dataset.segundos || 30));
  document.addEventListener("visibilitychange", ask);
}
