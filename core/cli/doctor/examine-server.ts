import { connect } from 'node:net'
import { type Finding, failed, ok } from './finding.ts'

const TIMEOUT_MS = 5000

/**
 * Checks that a server accepts TCP connections within 5 seconds.
 * @param name name of the check in the output
 * @param what the server, as the start of a sentence: `the message bus`
 */
export async function examineServer(name: string, what: string, host: string, port: number): Promise<Finding> {
  const place = `${host}:${port}`
  try {
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host, port })
      const end = (settle: () => void): void => {
        socket.destroy()
        settle()
      }
      socket.setTimeout(TIMEOUT_MS, () => end(() => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`))))
      socket.once('connect', () => end(resolve))
      socket.once('error', (error) => end(() => reject(error)))
    })
    return ok(name, `${what} takes connections at ${place}`)
  } catch (error) {
    const reason = (error as Error).message || String((error as { code?: unknown }).code)
    return failed(
      name,
      new Error(`${what} cannot be reached at ${place}: ${reason}. Start it, or correct its address.`),
    )
  }
}
