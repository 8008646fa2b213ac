"use strict";
(() => {
  const form = document.getElementById("filters");
  if (!form) return;
  const shown = document.getElementById("shown");
  const groups = [...document.querySelectorAll("details.rule")].map((group) => ({
    group,
    count: group.querySelector(".count"),
    words: group.querySelector(".count").textContent,
    items: [...group.querySelectorAll("li")].map((item) => ({ item, text: null })),
  }));
  const total = groups.reduce((sum, { items }) => sum + items.length, 0);
  const chosen = (name) => (form.elements[name] ? form.elements[name].value : "");
  // Text is only taken from the page once someone searches it.
  const holds = (entry, words) => {
    entry.text ??= entry.item.textContent.toLowerCase();
    return words.every((word) => entry.text.includes(word));
  };

  function apply() {
    const levels = new Set([...form.querySelectorAll("[name=level]:checked")].map((box) => box.value));
    const [rule, server, state] = [chosen("rule"), chosen("server"), chosen("state")];
    const words = chosen("words").toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const { group, count, words: all, items } of groups) {
      const isMeant = !rule || group.dataset.rule === rule;
      const matchesName = words.every((word) => group.dataset.name.includes(word));
      let here = 0;
      for (const entry of items) {
        const { level, server: own, state: known } = entry.item.dataset;
        const show =
          isMeant && levels.has(level) && (!server || own === server) && (!state || known === state) &&
          (matchesName || holds(entry, words));
        entry.item.hidden = !show;
        here += show ? 1 : 0;
      }
      group.hidden = here === 0;
      count.textContent = here === items.length ? all : `${here} of ${all}`;
      left += here;
    }
    shown.textContent = left === total ? `${total} shown` : `${left} of ${total} shown`;
  }

  const openAll = (open) => groups.forEach(({ group }) => { group.open = open; });
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));
  form.hidden = false;
  apply();
})();
