/** Writes one line to standard output; progress goes to standard error, so that a table can be piped. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)
export const progress = (line: string): void => void process.stderr.write(`${line}\n`)
