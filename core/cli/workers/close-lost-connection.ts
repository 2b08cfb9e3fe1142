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
 * Closes the connection that a worker was being handed when it died. node:cluster forgets it and keeps it open: its
 * client would wait for an answer for ever, where a closed connection is tried again.
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
    // Taken, or refused and given to another worker.
    if (message?.ack === sequence) handle = null
  })
  worker.once('exit', () => handle?.close())
}
