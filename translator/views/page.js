// Build a stage for every table, and handle what concerns the whole page. Runs after stage.js.

const views = [...document.querySelectorAll(".view")]
  .filter((element) => element.querySelector("tbody"))
  .map((element) => new View(element));

function choose(kind, value) {
  if (kind === "view") document.body.dataset.view = value;
  else {
    document.documentElement.dataset.language = value;
    document.documentElement.lang = value;
  }
  document.querySelectorAll(`[data-choose-${kind}]`).forEach((button) => {
    const isChosen = button.getAttribute(`data-choose-${kind}`) === value;
    button.setAttribute("aria-pressed", String(isChosen));
  });
  document.querySelectorAll(".view").forEach((element) => {
    element.hidden = element.dataset.view !== document.body.dataset.view;
  });
  views.forEach((view) => view.draw());
}

for (const kind of ["view", "language"]) {
  document.querySelectorAll(`[data-choose-${kind}]`).forEach((button) => {
    const value = button.getAttribute(`data-choose-${kind}`);
    button.addEventListener("click", () => choose(kind, value));
  });
}
choose("language", navigator.language.startsWith("ko") ? "ko" : "en");
choose("view", document.body.dataset.view);

// A printed page has another width than the window, so the lines move.
matchMedia("print").addEventListener("change", () => views.forEach((view) => view.draw()));

// Outside a sentence, the arrow keys step the one closest to the middle of the window.
document.addEventListener("keydown", (event) => {
  if (event.target.closest(".view")) return;
  const shown = views.filter((view) => view.element.offsetParent);
  const middle = window.innerHeight / 2;
  const distance = (view) => {
    const { top, bottom } = view.element.getBoundingClientRect();
    return Math.max(0, top - middle, middle - bottom);
  };
  shown.sort((one, other) => distance(one) - distance(other))[0]?.key(event);
});
