import { fileURLToPath } from 'node:url'
import type { SourceLocation } from '../schema/authored.ts'

const FRAME = /\(?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*):(\d+):(\d+)\)?$/

/** A bare `@type` is called by a helper that the compiler put into the author's file. */
const COMPILER_HELPER = /^\s*at (?:\w+\.)?__\w*[dD]ecorate/

/**
 * Returns the location in the author's TypeScript source where `fn` is being called, for fault messages. Source maps
 * are applied.
 * @param fn the public function of the authoring API that the author called
 * @returns `file` is an absolute path; line and column are 1-based
 */
export function placeAbove(fn: (...args: never[]) => unknown): SourceLocation {
  const limit = Error.stackTraceLimit
  const holder: { stack?: string } = {}
  Error.stackTraceLimit = 6
  Error.captureStackTrace(holder, fn)
  const frames = holder.stack?.split('\n').slice(1) ?? []
  Error.stackTraceLimit = limit
  for (const frame of frames) {
    const match = COMPILER_HELPER.test(frame) ? null : FRAME.exec(frame.trim())
    if (match !== null) return { file: filePath(match[1] ?? ''), line: Number(match[2]), column: Number(match[3]) }
  }
  return { file: 'unknown', line: 1, column: 1 }
}

function filePath(text: string): string {
  const path = text.replace(/^.* \(?(?=file:|\/|[A-Za-z]:)/, '').replace(/\?.*$/, '')
  return path.startsWith('file:') ? fileURLToPath(path) : path
}
