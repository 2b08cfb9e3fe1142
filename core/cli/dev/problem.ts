import { isAbsolute, relative } from 'node:path'
import { redactText } from '../../base/util/redact-text.ts'
import type { Message } from '../../compiler/ground/report.ts'

/**
 * An error in the sources of a project, which `svc dev` shows. Until it is corrected, the service runs with the last
 * sources that compiled.
 */
export interface Problem {
  readonly message: string
  /** Path of the source file, relative to the project's folder if the file is in it. `null`: unknown. */
  readonly file: string | null
  /** Line in the file, from 1, as is `column`. `null`: unknown. */
  readonly line: number | null
  readonly column: number | null
}

/**
 * Converts faults that the compiler found in a schema to problems for display.
 * @param baseDir folder of the project, which file paths are shortened by
 */
export function problemsOfFaults(faults: readonly Message[], baseDir: string): readonly Problem[] {
  return faults.map(({ message, place }) => ({
    message: redactText(message),
    file: place === null ? null : shownFile(place.file, baseDir),
    line: place?.line ?? null,
    column: place?.column ?? null,
  }))
}

/** A line of an error that begins with its location: `schema.ts:3:1: …`, `svc.toml:4: …`. */
const LOCATED = /^\s*((?:[A-Za-z]:)?[^:\n]*\.(?:[cm]?[jt]s|py|json|sql|toml)):(\d+)(?::(\d+))?:? +(.*)$/

/**
 * Converts an error that a compilation or boot threw to problems, one for each line of its message that begins with a
 * location. Lines without a location are added to the problem before them.
 * @param baseDir folder of the project, which file paths are shortened by
 */
export function problemsOfError(error: unknown, baseDir: string): readonly Problem[] {
  const problems: Problem[] = []
  const plain: string[] = []
  for (const line of messageOf(error).split('\n')) {
    const [, file, at, column, message] = LOCATED.exec(line) ?? []
    const last = problems.at(-1)
    if (file !== undefined && message !== undefined) {
      problems.push({
        message,
        file: shownFile(file, baseDir),
        line: Number(at),
        column: column === undefined ? null : Number(column),
      })
    } else if (last === undefined) plain.push(line)
    else problems[problems.length - 1] = { ...last, message: `${last.message}\n${line}` }
  }
  const [first, ...rest] = problems
  const before = plain.join('\n').trim()
  if (first === undefined) return [{ message: before, file: null, line: null, column: null }]
  return before === '' ? problems : [{ ...first, message: `${before}\n${first.message}` }, ...rest]
}

/** Formats the location of a problem, such as `schema.ts:3:1`. Empty if the file is unknown. */
export function printPlace({ file, line, column }: Problem): string {
  return [file, line, column].filter((part) => part !== null).join(':')
}

/** Joins the messages of an error and of its causes that add information. */
function messageOf(error: unknown): string {
  const lines: string[] = []
  for (let at: unknown = error, depth = 0; at !== undefined && at !== null && depth < 5; depth++) {
    const text = at instanceof Error ? at.message : String(at)
    if (text !== '' && !lines.some((line) => line.includes(text))) lines.push(text)
    at = at instanceof Error ? at.cause : undefined
  }
  return redactText(lines.join('\n'))
}

function shownFile(file: string, baseDir: string): string {
  if (!isAbsolute(file)) return file
  const near = relative(baseDir, file)
  return near.startsWith('..') ? file : near
}
