import { returnFormOf, type WriteKind, writeKindOf } from '../../plan/write-form.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { toWireName } from '../../util/naming.ts'
import type { CompileContext } from '../context.ts'

const RESULTS: Readonly<Record<WriteKind, string>> = {
  ids: 'the id of the object, which is read from its source',
  void: 'nothing',
  documents: 'the result itself',
}

/**
 * Refuses mutations whose result the dialect cannot take. Runs on the linked schema.
 * @param known kinds of results that it takes; `undefined`: all
 */
export function checkWrites(
  { schema, report }: CompileContext,
  model: SchemaModel,
  dialect: string,
  known: ReadonlySet<WriteKind> | undefined,
): void {
  if (known === undefined) return
  for (const mutation of schema.mutations ?? []) {
    const operation = model.mutations.get(toWireName(mutation.name))
    if (operation === undefined) continue
    const { returns } = operation.function
    const kind = returns === null ? null : writeKindOf(operation, returnFormOf(operation.function, returns))
    if (kind !== null && known.has(kind)) continue
    const found =
      kind === null ? 'and nothing is known of its result; compile with the database' : `which gives ${RESULTS[kind]}`
    const wanted = [...known].map((one) => RESULTS[one]).join(', or ')
    report.fault(
      'write-result',
      `Mutation "${mutation.name}" calls "${operation.function.name}", ${found}. With the dialect "${dialect}" a function gives ${wanted}.`,
      mutation,
    )
  }
}
