type Write = (text: string) => void

let isOffered = false
let taken: Write | null = null

/** Says that this process serves, and that a plugin may speak over its standard input and output. For `svc run`. */
export function offerStdout(): void {
  isOffered = true
}

/**
 * Takes standard output for a protocol: whatever else writes there, a banner or a line of the author's code, goes to standard error
 * from now on.
 * @returns what writes to it, the same to everybody who asks; `null`: the process is a command's, or somebody else's program
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
