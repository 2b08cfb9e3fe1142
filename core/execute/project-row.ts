import type { ObjectSelection } from '../contract/operation.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Completed, complete } from '../json/complete.ts'
import { objectShape } from './shape.ts'

/**
 * What is selected of a row that is held as a document (`CommittedWrite.entity`, an event), as an answer would show it: each value
 * held to its type. For rows that cannot be read again, because they are gone. No rule is laid on it but the masks in
 * the selection: who may see the row is for the caller to know.
 * @param dialect `scope.database().dialect`
 * @param selection as `scope.engine.authorize` gave it
 * @param document JSON text of an object
 * @param path of the row in the response
 * @returns `null` where a null stands that may not, or the text is no object; what failed with its path
 */
export function projectRow(
  dialect: Pick<Dialect, 'project'>,
  selection: ObjectSelection,
  document: string,
  path: readonly (string | number)[],
): Completed {
  const text = dialect.project(selection, document)
  return text === null ? { text, errors: [] } : complete(text, objectShape(selection), path)
}
