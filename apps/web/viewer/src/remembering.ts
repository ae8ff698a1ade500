// What is remembered between visits, in the storage of the browser.
export function remembered<T>(name: string, initial: T): T {
  try {
    const text = localStorage.getItem(`diorama.${name}`);
    return text === null ? initial : (JSON.parse(text) as T);
  } catch {
    return initial;
  }
}
export function remember(name: string, value: unknown) {
  try {
    localStorage.setItem(`diorama.${name}`, JSON.stringify(value));
  } catch {
    // Some pages from a disk have no storage.
  }
}
