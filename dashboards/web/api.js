// What a page asks, and who answers: the server that it came from, or the run that was saved in it.
import { LiveSource } from "./live_source.js";
import { SavedSource } from "./saved_source.js";

const saved = document.querySelector("#saved-run");
export const source = saved ? new SavedSource(saved) : new LiveSource();
export const get = (path, wanted, signal) => source.get(path, wanted, signal);
export const getBytes = (path, wanted) => source.getBytes(path, wanted);
export const post = (path, wish) => source.post(path, wish);
