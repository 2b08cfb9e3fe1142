import { type CompileOptions, compileSchema } from '../../core/compiler/compile.ts'
import type { Fault } from '../../core/compiler/ground/report.ts'
import type { AuthoredSchema, SourceLocation } from '../../core/schema/authored.ts'
import { OWNED_KEYS } from './owned-keys.ts'

/** Anything: tests of faults write schemas that the types forbid. */
export type Loose = Readonly<Record<string, unknown>>

/** A place on the given line. */
export function at(line: number, column = 3): { readonly $place: SourceLocation } {
  return { $place: { file: 'schema.ts', line, column } }
}

/** `12:3 id: message` for each fault, in the order of the report. */
export function faultsOf(schema: Loose, options: Partial<CompileOptions> = {}): readonly string[] {
  const { faults } = compileSchema(schema as unknown as AuthoredSchema, {
    catalog: null,
    owned: OWNED_KEYS,
    ...options,
  })
  return faults.map(print)
}

/** The same for warnings. */
export function warningsOf(schema: Loose, options: Partial<CompileOptions> = {}): readonly string[] {
  const { warnings } = compileSchema(schema as unknown as AuthoredSchema, {
    catalog: null,
    owned: OWNED_KEYS,
    ...options,
  })
  return warnings.map(print)
}

function print({ id, message, place }: Fault): string {
  return `${place === null ? '-' : `${place.line}:${place.column}`} ${id}: ${message}`
}
