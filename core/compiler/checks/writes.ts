import { toWireName } from '../../base/util/naming.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { CompileContext } from '../ground/context.ts'

/**
 * Reports the mutations of a database that svc can only read.
 * @param dialect name of the dialect, for the message
 * @param database checks the mutations of this database; `undefined`: of the default one
 */
export function checkReadOnly({ schema, report }: CompileContext, dialect: string, database?: string): void {
  for (const mutation of schema.mutations ?? []) {
    if (mutation.database !== database) continue
    report.fault(
      'read-only',
      `Mutation "${mutation.name}" cannot write: with the dialect "${dialect}" svc only reads. Leave the mutation out, or give it a function of another database (database = …).`,
      mutation,
    )
  }
}

/**
 * Reports mutations whose SQL function has a result of unknown columns, for dialects that cannot describe a result at
 * run time either.
 * @param model the schema with resolved names
 * @param dialect name of the dialect, for the message
 * @param database checks the mutations of this database; `undefined`: of the default one
 */
export function checkWrites(
  { schema, report }: CompileContext,
  model: SchemaModel,
  dialect: string,
  database?: string,
): void {
  for (const mutation of schema.mutations ?? []) {
    const operation = model.mutations.get(toWireName(mutation.name))
    if (operation === undefined || mutation.database !== database) continue
    const { name, returns } = operation.function
    if (returns !== null && (returns.kind !== 'composite' || returns.columns.length > 0)) continue
    const why =
      returns === null
        ? 'and nothing is known of its result. Compile with the database'
        : 'whose columns are not known before it runs. Let it say what it gives: a script in a comment (-- returns json, -- returns uuid, -- returns void), a procedure in its COMMENT (returns json)'
    report.fault(
      'write-result',
      `Mutation "${mutation.name}" calls "${name}", ${why}: the dialect "${dialect}" cannot look at a result in advance.`,
      mutation,
    )
  }
}
