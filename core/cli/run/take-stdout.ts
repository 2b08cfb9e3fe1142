type Write = (text: string) => void

let isOffered = false
let taken: Write | null = null

/** Allows plugins to use standard input and output of this process for a protocol. `svc run` calls this function. */
export function offerStdout(): void {
  isOffered = true
}

/**
 * Reserves standard output for a protocol. From then on, all other output to it, of a banner or of the code of the
 * author, goes to standard error.
 * @returns the function that writes to standard output, the same for every call; `null` when {@link offerStdout} was not
 * called, as in other commands and in programs that embed svc
 */
export function takeStdout(): Write | null {
  if (!isOffered) return null
  if (taken !== null) return taken
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  taken = (text) => void write(text)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return taken
}
