"use strict";
/* The GM's page to type in: present values, conditions, initiative.

   Each box to write in becomes a field. What is typed is kept in this browser, under
   the title of the page and the row and column of the box. */
(() => {
  const place = `charforge.party.${document.title}`;
  const kept = (() => {
    try {
      return JSON.parse(localStorage.getItem(place)) ?? {};
    } catch {
      return {};
    }
  })();
  const text = (element) => element?.textContent.trim() ?? "";

  /** The text of a heading, without that of its drawings. */
  const words = (heading) =>
    [...heading.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(text).join("");

  const keep = () => {
    try {
      localStorage.setItem(place, JSON.stringify(kept));
    } catch { /* what is typed stays on the page until it is closed */ }
  };

  /** Put a field into a box; ``printed`` is what the box shows, until something else is typed. */
  const type = (box, name, printed, what) => {
    const field = document.createElement(box.matches(".note") ? "textarea" : "input");
    field.className = "typed";
    field.autocomplete = "off";
    field.setAttribute("aria-label", what);
    field.value = kept[name] ?? printed;
    field.addEventListener("input", () => {
      if (field.value === printed) delete kept[name];
      else kept[name] = field.value;
      keep();
    });
    return field;
  };

  document.querySelectorAll(".party table").forEach((table, number) => {
    const columns = [...table.querySelectorAll("thead th")].map(words);
    [...table.querySelectorAll("tbody tr")].forEach((row, line) => {
      const who = text(row.querySelector("th b")) || `${columns[0]} ${line + 1}`;
      [...row.children].forEach((cell, column) => {
        const what = `${who}: ${columns[column]}`;
        const name = `${number} ${who} ${columns[column]}`;
        const box = cell.querySelector(".write b");
        if (box) box.replaceWith(type(box, name, text(box), what));
        else if (cell.matches(".note, .turn-order td:empty")) {
          const printed = text(cell);
          cell.replaceChildren(type(cell, name, printed, what));
        }
      });
    });
  });
  document.documentElement.classList.add("typing");
})();
