import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PrintedFile } from '../../introspect/print/plan-files.ts'
import { LANGUAGES, languageOf } from './authoring-languages.ts'
import type { IntrospectionRecord } from './introspection-record.ts'
import { type MergeConflict, mergeSource } from './merge-source.ts'

/** A file that `svc introspect --write` changes, with the added and removed lines. */
export interface FileChange {
  /** Path relative to the folder of the schema. */
  readonly path: string
  /** New content of the file; `null`: the file is removed. */
  readonly text: string | null
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export interface WritePlan {
  /** Absolute path of the folder that contains the schema. Paths of changes are relative to it. */
  readonly folder: string
  readonly changes: readonly FileChange[]
  readonly conflicts: readonly (MergeConflict & { readonly path: string })[]
  /** Why no file is changed, as text for the user; `null`: files are changed, or all are up to date. */
  readonly note: string | null
}

/**
 * Determines how `svc introspect --write` changes the source files of a schema, without writing them.
 * @param input absolute path of the project's schema
 * @param printed files with the newly generated source
 * @param record the source as svc last generated it; `null`: the schema was written by hand
 */
export async function planWrite(
  input: string,
  printed: readonly PrintedFile[],
  record: IntrospectionRecord | null,
): Promise<WritePlan> {
  const folder = dirname(input)
  const nothing = { folder, changes: [], conflicts: [] }
  const language = languageOf(input)
  if (language === null) {
    const note = `${basename(input)} is no module in TypeScript or Python, so svc does not edit it. To see the proposal: svc introspect`
    return { ...nothing, note }
  }
  const { entry, source } = LANGUAGES[language]
  const pathOf = (path: string): string => (path === entry ? basename(input) : path)
  const textOf = (path: string) => readFile(join(folder, pathOf(path)), 'utf8').catch(() => null)
  if (record === null && (await textOf(entry)) !== null) {
    const note =
      'The schema was written by hand, so its declarations stay as they are. --write records the database as it is now, and applies later changes of it.'
    return { ...nothing, note }
  }
  const changes: FileChange[] = []
  const conflicts: (MergeConflict & { readonly path: string })[] = []
  const before = new Map((record?.files ?? []).map(({ path, text }) => [path, text]))
  for (const { path, text } of printed) {
    const [base, ours] = [before.get(path), await textOf(path)]
    if (ours === null) {
      if (base === undefined) changes.push({ path: pathOf(path), text, added: text.trimEnd().split('\n'), removed: [] })
      else if (base !== text) conflicts.push({ path: pathOf(path), name: 'the whole file', wanted: text })
      continue
    }
    const merged = mergeSource(base ?? '', ours, text, source)
    for (const conflict of merged.conflicts) conflicts.push({ path: pathOf(path), ...conflict })
    if (merged.text !== ours)
      changes.push({ path: pathOf(path), text: merged.text, ...changedLines(ours, merged.text) })
  }
  for (const [path, base] of before) {
    if (printed.some((file) => file.path === path)) continue
    const ours = await textOf(path)
    if (ours === base) changes.push({ path: pathOf(path), text: null, ...changedLines(ours, '') })
    else if (ours !== null) conflicts.push({ path: pathOf(path), name: 'the whole file', wanted: null })
  }
  return { folder, changes, conflicts, note: null }
}

/** Returns the lines that only one of two texts has, in their order. A moved line is in neither list. */
function changedLines(before: string, after: string): Pick<FileChange, 'added' | 'removed'> {
  return { added: linesOnlyIn(after, before), removed: linesOnlyIn(before, after) }
}

function linesOnlyIn(text: string, other: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return text.split('\n').filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0 && line.trim() !== ''
  })
}
