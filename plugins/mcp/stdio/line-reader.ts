import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface LineListener {
  line(text: string): void
  /** A line is longer than may be; the rest of it is skipped. */
  tooLong(): void
  end(): void
}

/** Lines of a stream, bounded. Empty ones are left out. @returns stops reading */
export function readLines(input: Readable, mostBytes: number, listener: LineListener): () => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let skips = false
  const take = (text: string): void => {
    const line = text.replace(/\r$/, '')
    if (line.trim() !== '') listener.line(line)
  }
  const onData = (chunk: Buffer | string): void => {
    const lines = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (skips) skips = false
      else if (line.length > mostBytes) listener.tooLong()
      else take(line)
    }
    if (rest.length <= mostBytes) return
    if (!skips) listener.tooLong()
    skips = true
    rest = ''
  }
  const onEnd = (): void => {
    if (!skips) take(rest)
    listener.end()
  }
  input.on('data', onData)
  input.once('end', onEnd)
  return () => {
    input.off('data', onData)
    input.off('end', onEnd)
    input.pause()
  }
}
