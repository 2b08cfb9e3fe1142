import { isAbsolute, relative } from 'node:path'
import type { AdviceWarning } from '../../advise/compile-advice.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { CompileResult } from '../../compiler/compile.ts'
import { type CompileCounts, printCounts } from '../../compiler/counts.ts'
import type { Fault, Message } from '../../compiler/ground/report.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { type CommandArgs, type CommandIo, EXIT, type ExitCode } from '../command/command.ts'
import { printJson } from '../command/json-output.ts'

/** The result of `svc compile`, for printing. All paths are absolute. */
export interface CompileOutcome {
  readonly result: CompileResult
  /** Path of the artifact (compiled schema). */
  readonly output: string
  /** Warnings of the advice about the database, such as missing indexes on tables that the schema reads. */
  readonly advised: readonly AdviceWarning[]
  /** Warnings that the checks of plugins (`afterCompile`) gave about the compiled schema. */
  readonly looked: readonly string[]
  /** Paths of files that differ from what `svc compile` would write, with `--check`. `null`: the files were written. */
  readonly stale: readonly string[] | null
  /** Path of the written SDL file; `null`: no SDL was requested. */
  readonly sdl: string | null
}

/** Prints the result of `svc compile` for people, or with `--json` as a JSON document. @returns the exit code */
export function printOutcome(outcome: CompileOutcome, { flags }: CommandArgs, io: CommandIo): ExitCode {
  const { result, stale } = outcome
  const isFine = result.compiled !== null && (stale === null || stale.length === 0)
  if (flags.json === true) printJson(io, { ok: isFine, ...describe(outcome) })
  else print(outcome, io)
  return isFine ? EXIT.ok : EXIT.invalid
}

function describe({ result, output, advised, looked, stale, sdl }: CompileOutcome): object {
  const { compiled, faults, warnings, report } = result
  const said = [
    ...advised.map(({ id, message }) => ({ id, message, place: null })),
    ...looked.map((message) => ({ id: null, message, place: null })),
  ]
  return {
    errors: faults.map(describeMessage),
    warnings: [...warnings.map(describeMessage), ...said],
    counts: report,
    ...(compiled === null
      ? { written: [] }
      : {
          dialect: compiled.dialect ?? 'postgres',
          catalog: compiled.catalog,
          content_hash: compiled.content_hash,
          ...(stale === null ? { written: [output, ...(sdl === null ? [] : [sdl])] } : { written: [], stale }),
        }),
  }
}

function describeMessage({ id, message, place }: Message): object {
  return { id, message, place: place === null ? null : { file: place.file, line: place.line, column: place.column } }
}

function print({ result, output, advised, looked, stale, sdl }: CompileOutcome, io: CommandIo): void {
  const { compiled, faults, warnings, report } = result
  const shown = (path: string): string => relative(io.cwd, path) || path
  io.stderr(printMessages('error', faults, io.cwd))
  io.stderr(printMessages('warning', warnings, io.cwd))
  if (compiled === null) {
    io.stderr(`${faults.length} ${faults.length === 1 ? 'error' : 'errors'}; nothing was written.\n`)
    return
  }
  for (const { message } of advised) io.stderr(`warning  ${message}\n`)
  for (const line of looked) io.stderr(`warning  ${line}\n`)
  if (stale !== null && stale.length > 0) {
    const how = sdl === null ? 'svc compile' : 'svc compile --sdl'
    for (const path of stale) io.stderr(`${shown(path)} is not what the schema compiles to. Run \`${how}\`.\n`)
    return
  }
  const said = stale === null ? `${shown(output)}  ${compiled.content_hash}` : `${shown(output)} is up to date`
  io.stdout(`${printReport(report, compiled)}\n${said}\n`)
  if (stale === null && sdl !== null) io.stdout(`${shown(sdl)}\n`)
}

/** Prints a line such as `schema.ts:12:3  error  Query "users": …` per message. Editors link to the location. */
function printMessages(level: 'error' | 'warning', messages: readonly Fault[], cwd: string): string {
  return messages.map(({ message, place }) => `${printPlace(place, cwd)}${level}  ${message}\n`).join('')
}

function printPlace(place: Fault['place'], cwd: string): string {
  if (place === null) return ''
  const near = isAbsolute(place.file) ? relative(cwd, place.file) : place.file
  return `${near.startsWith('..') ? place.file : near}:${place.line}:${place.column}  `
}

/**
 * Returns a line such as `✓ 4 types, 1 enum, 6 queries, 3 mutations (catalog of v_album, v_artist, v_track and 4 more
 * read)`.
 */
function printReport(counts: CompileCounts, compiled: CompiledSchema): string {
  const names = [...Object.keys(compiled.sources), ...Object.keys(compiled.functions)]
  const read = names.length === 0 ? 'catalog read' : `catalog of ${listNames(names, 3)} read`
  return `✓ ${printCounts(counts)} (${compiled.catalog ? read : `offline: the database was not read; for the dialect ${compiled.dialect ?? 'postgres'}`})`
}
