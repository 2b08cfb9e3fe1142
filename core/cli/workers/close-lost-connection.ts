import type { Worker } from 'node:cluster'

interface HandoverMessage {
  readonly act?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}
interface Handle {
  close(): void
}

/**
 * Closes the connection that was being handed to a worker when it died. node:cluster would keep it open and forget it, so
 * that its client waits without end; after a closed connection clients try again.
 */
export function closeLostConnection(worker: Worker): void {
  const child = worker.process
  const send = child.send as (this: unknown, message: unknown, ...rest: unknown[]) => boolean
  let handle: Handle | null = null
  let sequence: unknown
  child.send = ((message: HandoverMessage, ...rest: unknown[]) => {
    if (message.act === 'newconn') {
      handle = rest[0] as Handle
      sequence = message.seq
    }
    return send.call(child, message, ...rest)
  }) as typeof child.send
  child.on('internalMessage', (message: HandoverMessage | null) => {
    // The worker accepted the connection, or refused it, and then node:cluster hands it to another one.
    if (message?.ack === sequence) handle = null
  })
  worker.once('exit', () => handle?.close())
}
