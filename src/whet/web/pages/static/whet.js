// Keys, theme, copy, live updates and passkeys. Everything else works without this file.
"use strict";

const byId = (id) => document.getElementById(id);
const isTyping = (element) => element instanceof HTMLElement && element.matches("input, select, textarea, [contenteditable]");

// --- theme ---------------------------------------------------------------------------------------------------------
function offerThemes() {
  const button = byId("theme");
  if (!button) return;
  const themes = ["system", "light", "dark"];
  const current = () => document.documentElement.dataset.theme || "system";
  const label = () => { button.textContent = `Theme: ${current()}`; };
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(current()) + 1) % themes.length];
    if (next === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem("whet-theme");
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem("whet-theme", next);
    }
    label();
  });
  label();
  button.hidden = false;
}

// --- keys ----------------------------------------------------------------------------------------------------------
let pending = "";
let hunk = -1;

function moveRow(step) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (!rows.length) return;
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.min(Math.max(here + step, 0), rows.length - 1)];
  next.querySelector("a, summary")?.focus();
  next.scrollIntoView({ block: "nearest" });
}

function moveHunk(step) {
  const hunks = [...document.querySelectorAll(".hunk")];
  if (!hunks.length) return;
  hunk = Math.min(Math.max(hunk + step, 0), hunks.length - 1);
  hunks.forEach((row, index) => row.classList.toggle("here", index === hunk));
  hunks[hunk].scrollIntoView({ block: "center" });
}

function goTo(path) {
  const link = document.querySelector(`.tabs a[href$="${path}"]`);
  if (link) link.click();
}

function showSection(number) {
  const link = document.querySelectorAll(".side a")[number - 1];
  if (!link) return;
  link.click();
  const section = document.querySelector(link.hash);
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
}

const SCREENS = { q: "/", f: "/findings", l: "/ledger", p: "/policy" };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || byId("keys")?.open) return;
  if (localStorage.getItem("whet-keys") === "off" && event.key !== "?") return;
  if (pending === "g") {
    pending = "";
    if (SCREENS[event.key]) goTo(SCREENS[event.key]);
    return;
  }
  const actions = {
    j: () => moveRow(1), k: () => moveRow(-1), n: () => moveHunk(1), p: () => moveHunk(-1), g: () => { pending = "g"; },
    a: () => byId("approve")?.click(), r: () => byId("reject")?.click(), "?": () => byId("keys")?.showModal(),
    "/": () => { const field = byId("search"); field?.closest("details")?.setAttribute("open", ""); field?.focus(); },
  };
  const action = actions[event.key] || (/^[1-6]$/.test(event.key) ? () => showSection(Number(event.key)) : null);
  if (!action) return;
  event.preventDefault();
  action();
}

function offerKeys() {
  const button = byId("show-keys"), box = byId("keys-on");
  if (!button || !box) return;
  document.addEventListener("keydown", onKey);
  button.hidden = false;
  button.addEventListener("click", () => byId("keys").showModal());
  box.checked = localStorage.getItem("whet-keys") !== "off";
  box.addEventListener("change", () => localStorage.setItem("whet-keys", box.checked ? "on" : "off"));
}

// --- copy ----------------------------------------------------------------------------------------------------------
function offerCopy() {
  const button = byId("copy");
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const answer = await fetch(button.dataset.from);
    await navigator.clipboard.writeText(await answer.text());
    button.textContent = "Copied";
  });
}

// --- live updates --------------------------------------------------------------------------------------------------
// An event only says that the record grew. The page is then fetched again, and its live parts are replaced unless the
// reader is in one of them. Forms are never replaced.
let source = null;
let last = 0;
let timer = 0;
let subjects = new Set();

async function refresh() {
  timer = 0;
  const changed = subjects;
  subjects = new Set();
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = document.querySelector(".decide[data-subject]");
  if (form && changed.has(form.dataset.subject)) byId("changed").hidden = false;
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id);
    const inUse = part.contains(document.activeElement) || part.querySelector("form");
    if (!next || inUse || next.isEqualNode(part)) continue;
    const replacement = document.importNode(next, true);
    part.replaceWith(replacement);
    window.htmx?.process(replacement);
  }
  offerCopy();
}

function onEvent(event) {
  last = Math.max(last, Number(event.lastEventId) || 0);
  try { subjects.add(JSON.parse(event.data).subject.replace(/\/notes$/, "")); } catch { /* a comment of the server */ }
  if (!timer) timer = setTimeout(refresh, 300);
}

function listen() {
  const url = document.body.dataset.events;
  if (!url || source || document.hidden) return;
  source = new EventSource(`${url}?after=${last}`);
  source.onmessage = onEvent;
  for (const kind of ["Trigger", "Findings", "Chosen", "Proposal", "Question", "Build", "Evidence", "Vote", "Approval", "Snapshot",
    "Deployment", "Trial", "Verification", "Watch", "Rollback", "Lesson", "Error", "Objection", "AgentInquiry", "InquiryReply", "Diagnose", "Observe", "gap"]) {
    source.addEventListener(kind, onEvent);
  }
}

function startLive() {
  const again = Number(document.body.dataset.again);
  if (again) setInterval(() => { if (!document.hidden) refresh(); }, again * 1000);
  last = Number(document.body.dataset.seq) || 0;
  listen();
  // A hidden tab gives its connection back: a browser has six for one server.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { source?.close(); source = null; } else listen();
  });
}

// --- passkeys ------------------------------------------------------------------------------------------------------
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function explain(form, problem) {
  const line = form.querySelector(".problem");
  line.textContent = `The passkey did not answer: ${problem.message || problem}`;
  line.hidden = false;
}

async function approve(event) {
  event.preventDefault();
  const form = event.target;
  try {
    const given = await navigator.credentials.get({ publicKey: {
      challenge: toBytes(form.dataset.challenge),
      rpId: form.dataset.rp,
      userVerification: "required",
      allowCredentials: form.dataset.credentials.split(" ").map((id) => ({ type: "public-key", id: toBytes(id) })),
    } });
    form.elements.credential.value = given.id;
    form.elements.client_data.value = toText(given.response.clientDataJSON);
    form.elements.authenticator_data.value = toText(given.response.authenticatorData);
    form.elements.signature.value = toText(given.response.signature);
    form.submit();
  } catch (problem) { explain(form, problem); }
}

async function enrol(event) {
  event.preventDefault();
  const form = event.target;
  try {
    const made = await navigator.credentials.create({ publicKey: {
      challenge: toBytes(form.dataset.challenge),
      rp: { id: form.dataset.rp, name: "whet" },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: form.dataset.who, displayName: form.dataset.who },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -8 }, { type: "public-key", alg: -257 }],
      authenticatorSelection: { userVerification: "required" },
      attestation: "none",
    } });
    form.elements.credential.value = made.id;
    form.elements.client_data.value = toText(made.response.clientDataJSON);
    form.elements.attestation.value = toText(made.response.attestationObject);
    form.submit();
  } catch (problem) { explain(form, problem); }
}

byId("passkey")?.addEventListener("submit", approve);
byId("enrol")?.addEventListener("submit", enrol);
offerThemes();
offerKeys();
offerCopy();
startLive();
