// The tree of runs: which was forked from which, at which step, and how each goes.
import { $, empty, fill, h } from "./dom.js";
import { pagePath } from "./addresses.js";
import { get, post } from "./api.js";

export class BranchesPage {
  constructor(frame) { this.frame = frame; }

  async open() {
    fill($("#top"), this.frame.header(h("div", { class: "title" }, h("h1", {}, "Branches"), h("p", { class: "note" }, "Runs, and what was forked from them"))));
    $("#main").className = "branches";
    await this.read();
    document.documentElement.dataset.ready = "yes";
    setInterval(() => { if (!document.hidden) this.read(); }, 2000);
  }

  async read() {
    try {
      const { branches, forks } = await get("/api/tree");
      const under = (run) => branches.filter(({ parent, within }) => (parent ?? within) === run);
      const known = new Set(branches.map(({ run }) => run)), roots = branches.filter(({ parent, within }) => !known.has(parent ?? within));
      fill($("#main"), h("section", { class: "card pad" }, roots.length ? h("ul", { class: "tree" }, roots.map((each) => this.node(each, under, forks, null))) : empty("No run here yet. cave-sim run town_day makes one.")));
    } catch (error) { this.frame.notice(error.message, "bad"); }
  }

  node(each, under, forks, parent) {
    const fork = forks.find(({ run }) => run === each.run);
    return h("li", {}, h("div", { class: "node" }, h("a", { href: pagePath(each.run) }, each.run), h("span", { class: "status", "data-state": each.status }, each.status),
      h("span", { class: "note" }, each.status === "unreadable" ? [each.error ?? "its file cannot be read"] : [each.title ?? each.simulation, each.seed == null ? "" : `seed ${each.seed}`, each.steps === 1 ? "1 step" : `${each.steps ?? 0} steps`, each.at != null ? `from step ${each.at}` : ""].filter(Boolean).join(", ")),
      parent && each.parent ? h("a", { class: "quiet", href: `/compare?${new URLSearchParams([["run", parent], ["run", each.run], ["step", each.at ?? 0]])}` }, "Compare") : null,
      fork?.status === "running" ? h("button", { type: "button", class: "quiet", onclick: () => post("/api/end", { run: each.run }) }, "Stop") : null),
      under(each.run).length ? h("ul", {}, under(each.run).map((child) => this.node(child, under, forks, each.run))) : null);
  }
}
