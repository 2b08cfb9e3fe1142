import type { ArgumentModel, InputErrors } from '../../../core/doors/front.ts'
import type { SvcError } from '../../../core/doors/plugin.ts'
import { type FieldProblem, invalidFields } from '../request/refusals.ts'
import { rowOf } from '../request/row-key.ts'
import { bodyInput } from '../routes/writable-fields.ts'

type Path = readonly (string | number)[]

/**
 * What breaks rules of the schema, by its places in the request: a body that is the fields of an input does not name the
 * argument that it is for.
 * @param args those that the body or the query string gives
 * @param isList is the body a list of rows? Else all calls were made of the same body, and what each says is said once.
 */
export function brokenRules(error: InputErrors, args: readonly ArgumentModel[], isList: boolean): SvcError {
  const input = bodyInput(args) === null ? null : args[0]!.wireName
  const problems = new Map<string, FieldProblem>()
  for (const { message, path = [], details } of error.errors) {
    const [root, ...place] = path
    const within = input !== null && place[0] === input ? place.slice(1) : place
    const index = isList ? rowOf(root) : null
    const problem: FieldProblem = {
      ...(index === null ? {} : { index }),
      // What is about all of it has the name of that.
      field: printPlace(within) || String(details?.path),
      reason: message,
      path: index === null ? within : [index, ...within],
      context: details?.context,
    }
    problems.set(JSON.stringify(problem), problem)
  }
  return invalidFields([...problems.values()])
}

/** `items[0].sku`. */
function printPlace(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}
