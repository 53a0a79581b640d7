// What the page gains from a script: theme, sorting, copies of tables, one zoom
// for all pictures with the same axis, a readout under the pointer, charts. The
// page is whole without it. Texts of the page are only ever set as text.
(() => {
"use strict";
const root = document.documentElement;
const all = (q, in_ = document) => Array.from(in_.querySelectorAll(q));
const make = (name, text, attrs = {}) => {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
  return e;
};
const themed = [];
const rethemed = () => themed.forEach((f) => f());

// Theme: as the system, then dark, then light.
function theme() {
  const names = ["system", "dark", "light"];
  let at = 0;
  const b = make("button", "Theme: system", { type: "button", class: "theme" });
  b.addEventListener("click", () => {
    at = (at + 1) % names.length;
    if (at) root.dataset.theme = names[at]; else delete root.dataset.theme;
    b.textContent = "Theme: " + names[at];
    rethemed();
  });
  document.querySelector(".banner").append(b);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", rethemed);
}

// Tables: sorted by a button in the heading, copied as CSV.
function tables() {
  for (const t of all("table")) {
    const heads = all("thead th", t);
    if (t.tBodies[0].rows.length > 1) heads.forEach((h, i) => {
      const b = make("button", h.textContent, { type: "button" });
      b.addEventListener("click", () => sort(t, heads, i));
      h.replaceChildren(b);
    });
    const copy = make("button", "Copy as CSV", { type: "button", class: "copy" });
    copy.addEventListener("click", () => toClipboard(csv(t, heads)).then(
      () => { copy.textContent = "Copied"; }, () => { copy.textContent = "Could not copy"; }));
    t.parentElement.after(copy);
  }
}
const valueOf = (c) => c.dataset.v !== undefined ? Number(c.dataset.v) : null;
function sort(t, heads, i) {
  const down = heads[i].getAttribute("aria-sort") === "ascending";
  heads.forEach((h) => h.removeAttribute("aria-sort"));
  heads[i].setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = t.tBodies[0];
  const keyed = Array.from(body.rows, (r, n) => ({ r, n, v: valueOf(r.cells[i]), s: r.cells[i].textContent }));
  keyed.sort((a, b) => {
    // What has no value stays at the end, whichever way the rest is sorted.
    if ((a.v === null) !== (b.v === null)) return a.v === null ? 1 : -1;
    const d = a.v !== null ? a.v - b.v : a.s < b.s ? -1 : a.s > b.s ? 1 : 0;
    return (down ? -d : d) || a.n - b.n;
  });
  body.append(...keyed.map((k) => k.r));
}
function csv(t, heads) {
  const quote = (s) => '"' + (/^[=+@\t]/.test(s) ? "'" + s : s).replaceAll('"', '""') + '"';
  const rows = Array.from(t.tBodies[0].rows, (r) => Array.from(r.cells, (c) => c.dataset.v !== undefined ? c.dataset.v : quote(c.textContent.trim())).join(","));
  return [heads.map((h) => quote(h.textContent)).join(","), ...rows].join("\r\n") + "\r\n";
}
async function toClipboard(text) {
  if (navigator.clipboard) {
    try { return await navigator.clipboard.writeText(text); } catch { /* not allowed: the older way */ }
  }
  const a = make("textarea", "", { "aria-hidden": "true", class: "skip" });
  a.value = text;
  document.body.append(a);
  a.select();
  const ok = document.execCommand("copy");
  a.remove();
  if (!ok) throw new Error("copy");
}

// Zoom: pictures with the same axis of the same run move together.
const groups = new Map();
function pictures() {
  for (const el of all(".lanes")) {
    const ax = el.querySelector(".axis");
    if (!ax) continue;
    const from = Number(ax.dataset.from), to = Number(ax.dataset.to);
    if (!(to > from)) continue;
    const run = el.closest(".run");
    const key = (run ? run.id.replace(/^.*-run-/, "") : "") + "|" + from + "|" + to;
    if (!groups.has(key)) groups.set(key, { key, from, to, at: [from, to], epoch: ax.dataset.epoch, zone: ax.dataset.zone, els: [], charts: [] });
    const g = groups.get(key);
    const ticks = all(".ticks", el).map((svg) => ({ svg, saved: Array.from(svg.childNodes) }));
    const p = { el, ticks, zooms: all("svg.zoom", el), readout: null };
    g.els.push(p);
    tools(g, p);
    pointer(g, p);
  }
}
function tools(g, p) {
  if (p.el.classList.contains("compact")) return;
  const bar = make("div", "", { class: "tools", role: "group", "aria-label": "Zoom" });
  const span = () => g.at[1] - g.at[0];
  const move = (a, b) => () => zoom(g, g.at[0] + a * span(), g.at[1] + b * span());
  for (const [text, label, act] of [["+", "Zoom in", move(.25, -.25)], ["−", "Zoom out", move(-.5, .5)], ["←", "Earlier", move(-.5, -.5)],
    ["→", "Later", move(.5, .5)], ["Whole", "Show the whole axis", () => zoom(g, g.from, g.to)]]) {
    const b = make("button", text, { type: "button", "aria-label": label, title: label });
    b.addEventListener("click", act);
    bar.append(b);
  }
  p.readout = make("span", "Drag across a lane to zoom.", { class: "readout" });
  bar.append(p.readout);
  p.el.before(bar);
}
function zoom(g, a, b, quiet) {
  const least = (g.to - g.from) / 1e5;
  if (b - a < least) { const m = (a + b) / 2; a = m - least / 2; b = m + least / 2; }
  const w = Math.min(b - a, g.to - g.from);
  a = Math.max(g.from, Math.min(a, g.to - w));
  b = a + w;
  g.at = [a, b];
  const whole = g.to - g.from, full = w >= whole * .999999;
  for (const p of g.els) {
    for (const z of p.zooms) {
      z.setAttribute("x", (-(a - g.from) / w * 100) + "%");
      z.setAttribute("width", (whole / w * 100) + "%");
    }
    for (const t of p.ticks) full ? t.svg.replaceChildren(...t.saved) : drawTicks(t.svg, a, b);
  }
  if (!quiet) for (const c of g.charts) c.dispatchAction({ type: "dataZoom", startValue: a, endValue: b });
  const hash = full ? "" : "#t=" + a.toPrecision(9) + "," + b.toPrecision(9);
  try { if (!quiet || hash) history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* not allowed here */ }
}
function drawTicks(svg, a, b) {
  const raw = (b - a) / 7, base = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * base).find((s) => s >= raw);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const out = [];
  for (let k = Math.ceil(a / step), n = 0; k * step <= b && n < 20; k++, n++) {
    const x = (k * step - a) / (b - a) * 100, gEl = document.createElementNS(svg.namespaceURI, "g");
    gEl.setAttribute("class", n % 2 ? "tick odd" : "tick");
    const l = document.createElementNS(svg.namespaceURI, "line");
    for (const [q, v] of [["x1", x + "%"], ["x2", x + "%"], ["y1", 0], ["y2", 5]]) l.setAttribute(q, v);
    const t = document.createElementNS(svg.namespaceURI, "text");
    for (const [q, v] of [["x", x + "%"], ["y", 17], ["text-anchor", x < 3 ? "start" : x > 96 ? "end" : "middle"]]) t.setAttribute(q, v);
    t.textContent = (k * step).toFixed(digits) + " s";
    gEl.append(l, t);
    out.push(gEl);
  }
  svg.replaceChildren(...out);
}
function pointer(g, p) {
  const cursor = make("div", "", { class: "cursor", hidden: "" }), brush = make("div", "", { class: "brush", hidden: "" });
  p.el.append(cursor, brush);
  let start = null;
  const where = (e) => {
    const s = e.target.closest(".strip") || p.el.querySelector(".strip"), r = s.getBoundingClientRect();
    const f = Math.min(1, Math.max(0, (e.clientX - r.left) / r.width));
    return { f, left: r.left - p.el.getBoundingClientRect().left + f * r.width, t: g.at[0] + f * (g.at[1] - g.at[0]) };
  };
  p.el.addEventListener("pointermove", (e) => {
    const s = e.target.closest(".strip");
    cursor.hidden = !s && !start;
    if (cursor.hidden) return;
    const w = where(e);
    cursor.style.left = w.left + "px";
    if (start) {
      brush.hidden = false;
      brush.style.left = Math.min(start.left, w.left) + "px";
      brush.style.width = Math.abs(w.left - start.left) + "px";
    }
    if (p.readout) {
      const title = e.target.querySelector && e.target.tagName === "rect" ? e.target.querySelector("title") : null;
      p.readout.textContent = w.t.toFixed(digitsFor(g)) + " s" + clock(g, w.t) + (title ? ": " + title.textContent : "");
    }
  });
  p.el.addEventListener("pointerdown", (e) => { if (e.button === 0 && e.pointerType !== "touch" && e.target.closest(".strip")) { start = where(e); e.preventDefault(); } });
  addEventListener("pointerup", (e) => {
    if (!start) return;
    const w = where(e), a = Math.min(start.t, w.t), b = Math.max(start.t, w.t), far = Math.abs(w.left - start.left) > 4;
    start = null;
    brush.hidden = true;
    if (far) zoom(g, a, b);
  });
  p.el.addEventListener("pointerleave", () => { if (!start) cursor.hidden = true; });
}
const clock = (g, t) => g.epoch ? " (" + new Date(Number(g.epoch) + t * 1000).toISOString().slice(0, -1).replace("T", " ") + " " + g.zone + ")" : "";
const digitsFor = (g) => Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(g.at[1] - g.at[0]))));
function fromHash() {
  const m = /^#t=([\d.eE+-]+)(?:,([\d.eE+-]+))?$/.exec(location.hash);
  if (!m) return;
  for (const g of groups.values()) {
    const a = Number(m[1]), b = m[2] === undefined ? a + (g.to - g.from) / 20 : Number(m[2]);
    if (b > a && a < g.to && b > g.from) zoom(g, a, b);
  }
}

// Charts: options come with the page as JSON; colours are names of the style's
// properties and follow the theme.
const probe = make("span", "", { hidden: "" });
const colour = (name) => { probe.style.color = "var(" + name + ")"; return getComputedStyle(probe).color; };
function resolve(v) {
  if (typeof v === "string") return v.startsWith("--") ? colour(v) : v;
  if (Array.isArray(v)) return v.map(resolve);
  if (v && typeof v === "object") return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, resolve(x)]));
  return v;
}
const wide = matchMedia("(min-width: 46.01rem)");
function dressed(option, timed) {
  const o = resolve(option), ink = colour("--ink"), muted = colour("--muted"), rule = colour("--rule");
  const text = { color: muted, fontFamily: getComputedStyle(document.body).fontFamily };
  o.textStyle = text;
  // Beside lanes the chart's axis stands under theirs; on a narrow page there are no columns beside it.
  const rem = parseFloat(getComputedStyle(root).fontSize), aligned = wide.matches && [].concat(o.xAxis)[0].max !== undefined && timed;
  o.grid = { left: aligned ? 14.3 * rem : 8, right: aligned ? 7.8 * rem : 16, top: 52, bottom: 64, containLabel: !aligned };
  for (const s of o.series) s.stackStrategy = "all";
  for (const l of [].concat(o.legend)) Object.assign(l, { textStyle: { ...text, color: ink }, icon: "roundRect", itemWidth: 16, itemHeight: 8, itemGap: 18, type: "scroll", top: 0, left: 0, width: "92%", inactiveColor: rule, pageTextStyle: text });
  for (const a of [].concat(o.xAxis, o.yAxis)) Object.assign(a, { nameTextStyle: { ...text, align: a.nameLocation === "end" ? "left" : "center" }, axisLabel: { ...text, hideOverlap: true, showMaxLabel: a.max === undefined || Number.isInteger(a.max) }, axisLine: { show: true, lineStyle: { color: rule } }, splitLine: { lineStyle: { color: rule } } });
  for (const z of [].concat(o.dataZoom || [])) {
    Object.assign(z, { filterMode: "none" });
    if (z.type === "slider") Object.assign(z, { height: 16, bottom: 6, borderColor: rule, textStyle: text, showDataShadow: false, fillerColor: colour("--shade"), brushSelect: false });
    else Object.assign(z, { zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false });
  }
  o.tooltip = { trigger: "axis", renderMode: "richText", backgroundColor: colour("--raised"), borderColor: rule, textStyle: { ...text, color: ink, fontSize: 12 }, axisPointer: { lineStyle: { color: muted } }, formatter: tip };
  return o;
}
// A band is two series of one name: its lower bound, and the distance above it.
function tip(ps) {
  const num = (x) => x === null || x === undefined || Number.isNaN(x) ? null : Number(x.toPrecision(4)).toString();
  const lines = [Number(ps[0].axisValue).toPrecision(6).replace(/\.?0+$/, "")];
  const seen = new Map();
  for (const p of ps) {
    const y = p.value[1];
    if (!seen.has(p.seriesName)) seen.set(p.seriesName, [y]); else seen.get(p.seriesName).push(y);
  }
  for (const [name, v] of seen) {
    const lo = v[0], hi = v.length > 1 && lo !== null && v[1] !== null ? lo + v[1] : lo;
    lines.push(name.replaceAll(/[{}|]/g, " ") + "  " + (num(lo) === null ? "not observed" : num(lo) === num(hi) ? num(lo) : num(lo) + "–" + num(hi)));
  }
  return lines.join("\n");
}
function charts() {
  if (!window.echarts) return;
  document.body.append(probe);
  for (const s of all("script[data-chart]")) {
    const box = document.getElementById(s.dataset.chart);
    const option = JSON.parse(s.textContent);
    box.hidden = false;
    const begin = () => {
      if (box.dataset.drawn || !box.clientWidth) return;
      box.dataset.drawn = "yes";
      const c = window.echarts.init(box, null, { renderer: "canvas" });
      const run = box.closest(".run"), x = [].concat(option.xAxis)[0];
      const g = groups.get((run ? run.id.replace(/^.*-run-/, "") : "") + "|" + (x.min || 0) + "|" + x.max);
      const draw = () => { c.resize(); c.setOption(dressed(option, !!g)); };
      draw();
      themed.push(draw);
      new ResizeObserver(() => c.resize()).observe(box);
      wide.addEventListener("change", draw);
      if (!g) return;
      g.charts.push(c);
      c.group = g.key;
      window.echarts.connect(g.key);
      c.on("datazoom", () => {
        const z = c.getOption().dataZoom[0];
        if (Math.abs(z.startValue - g.at[0]) + Math.abs(z.endValue - g.at[1]) > (g.to - g.from) * 1e-6) zoom(g, z.startValue, z.endValue, true);
      });
    };
    begin();
    const d = box.closest("details");
    if (d) d.addEventListener("toggle", begin);
  }
}

// The contents mark the section in view.
function contents() {
  const links = new Map(all(".toc a").map((a) => [a.getAttribute("href").slice(1), a]));
  const seen = new Set();
  const watch = new IntersectionObserver((es) => {
    for (const e of es) e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id);
    let first = true;
    for (const [id, a] of links) {
      if (seen.has(id) && first) { a.setAttribute("aria-current", "true"); first = false; } else a.removeAttribute("aria-current");
    }
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const id of links.keys()) watch.observe(document.getElementById(id));
}

theme();
tables();
pictures();
charts();
contents();
fromHash();
addEventListener("hashchange", () => {
  fromHash();
  const target = location.hash.length > 1 && !location.hash.startsWith("#t=") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const d = target && (target.closest("details") || null);
  if (d && !d.open) { d.open = true; target.scrollIntoView(); }
});
})();
