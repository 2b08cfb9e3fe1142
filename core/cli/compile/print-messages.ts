import { isAbsolute, relative } from 'node:path'
import type { Fault } from '../../compiler/ground/report.ts'

/** `schema.ts:12:3  error  Query "users": …`, one line each; editors jump to the place. */
export function printMessages(level: 'error' | 'warning', messages: readonly Fault[], cwd: string): string {
  return messages.map(({ message, place }) => `${printPlace(place, cwd)}${level}  ${message}\n`).join('')
}

function printPlace(place: Fault['place'], cwd: string): string {
  if (place === null) return ''
  const near = isAbsolute(place.file) ? relative(cwd, place.file) : place.file
  return `${near.startsWith('..') ? place.file : near}:${place.line}:${place.column}  `
}
