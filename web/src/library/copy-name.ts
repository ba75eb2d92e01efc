/** The name of a copy, at most as long as names of projects on the server may be. */
export const copyName = (name: string): string => `${[...name].slice(0, 93).join('').trimEnd()} (copy)`;
