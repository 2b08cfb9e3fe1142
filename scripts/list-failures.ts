/** A file's point at the root of tap's output, with what tap knows about it. */
const POINT = /^not ok \d+ - (.*?)(?: # time=[\d.]+ms)?\n {2}---\n([\s\S]*?)\n {2}\.\.\./gm
const KILLED = /^ {2}signal: SIG(?:ALRM|KILL|TERM)$/m
const EXPIRED = /^ {2}expired: (.+)$/m

/**
 * The files that failed, one a line.
 * @param tap the whole output of a run, in TAP
 */
export function listFailures(tap: string): string {
  const timedOut = new Set<string>()
  const failed = new Set<string>()
  for (const [, name, facts] of tap.matchAll(POINT)) {
    const expired = EXPIRED.exec(facts!)?.[1]
    if (expired !== undefined) timedOut.add(expired)
    else if (KILLED.test(facts!)) timedOut.add(name!)
    else failed.add(name!)
  }
  const lines = [...failed].filter((name) => !timedOut.has(name)).map((name) => `failed: ${name}\n`)
  return [...lines, ...[...timedOut].map((name) => `timed out: ${name}\n`)].join('')
}
