// Runs before the page is drawn, so that a chosen theme does not flash.
"use strict";
{
  const chosen = localStorage.getItem("whet-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
