import type { Readable } from 'node:stream'
import { SvcError } from '../errors/svc-error.ts'

function tooLarge(limit: number): SvcError {
  return new SvcError('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes (server.max_body_bytes).`, {
    details: { limit },
  })
}

/**
 * Reads a request body, never more than `limit` bytes of it.
 * @param declared value of `Content-Length`, if the client sent one
 * @throws SvcError PAYLOAD_TOO_LARGE, before reading when the declared length already says so
 */
export function readBody(source: Readable, declared: string | undefined, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (declared !== undefined && Number(declared) > limit) {
      reject(tooLarge(limit))
      return
    }
    // Nearly every body is one chunk: keep the first apart and build a list only for a second.
    let first: Buffer | null = null
    let rest: Buffer[] | null = null
    let size = 0
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        source.removeAllListeners('data')
        source.pause()
        reject(tooLarge(limit))
      } else if (first === null) first = chunk
      else if (rest === null) rest = [first, chunk]
      else rest.push(chunk)
    })
    source.on('end', () => resolve(rest === null ? (first ?? Buffer.alloc(0)) : Buffer.concat(rest)))
    source.on('error', reject)
    source.on('close', () => {
      if (!(source as { readableEnded?: boolean }).readableEnded) {
        reject(new SvcError('REQUEST_ERROR', 'The connection closed before the whole body arrived.'))
      }
    })
  })
}
