import type { ArgumentModel, InputErrors } from '../../../core/doors/front.ts'
import type { SvcError } from '../../../core/doors/plugin.ts'
import { type FieldProblem, invalidFields } from '../request/refusals.ts'
import { rowOf } from '../request/row-key.ts'
import { bodyInput } from '../routes/writable-fields.ts'

type Path = readonly (string | number)[]

/**
 * Converts violated input rules to one REST error that names the invalid members of the body or parameters.
 * @param args arguments of the route
 * @param isList `true` if the body is a list of rows; the error then contains their indexes
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
      // A problem of the whole input has the name of the input.
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
