type Write = (text: string) => void

let isOffered = false
let taken: Write | null = null

/**
 * Permits a later `takeStdout` call, with which a plugin uses standard input and output for a protocol. Only `svc run`
 * calls this function.
 */
export function offerStdout(): void {
  isOffered = true
}

/**
 * Reserves standard output for a plugin that speaks a protocol over it (MCP). All other output to it, such as the
 * banner, then goes to standard error.
 * @returns function that writes to standard output, the same for every call; `null` when {@link offerStdout} was not
 * called
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
