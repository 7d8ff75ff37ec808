// Who or what is meant by a few letters: by a whole name at once, by a part of one if a single name has it, and otherwise out of a list.
import { empty, fill, h } from "./dom.js";

const MOST = 30;

// `known` as [name, title]; what cannot be told yet is said in `body`; `go(name)` is called with the one that is meant. Returns whether that is open.
export function choose(text, known, body, go) {
  const wanted = text.trim().toLowerCase(), parts = (each) => each.map((part) => part.toLowerCase());
  if (!wanted) return false;
  const whole = known.find((each) => parts(each).includes(wanted)), some = known.filter((each) => parts(each).some((part) => part.includes(wanted)));
  if (whole || some.length === 1) { go((whole ?? some[0])[0]); return false; }
  if (!some.length) fill(body, empty(`Nothing here is called “${text}”.`));
  else fill(body, h("p", { class: "note" }, some.length > MOST ? `Which one? The first ${MOST} of ${some.length}:` : "Which one?"),
    h("ul", { class: "plain" }, some.slice(0, MOST).map(([name, title]) => h("li", {}, h("button", { type: "button", class: "link", title: name, onclick: () => go(name) }, title)))));
  return true;
}
