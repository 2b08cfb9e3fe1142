import type { ArgumentModel, InputFieldModel } from '../../../core/doors/front.ts'
import type { RestOptions } from '../options.ts'
import { JSON_BODY, PATCH_BODY } from '../request/json-body.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { bodyInput, bodyMembers, idArgument } from '../routes/writable-fields.ts'
import { isFilled } from '../write/fill-missing.ts'
import type { BodyDescription } from './route-description.ts'

/** What stands in the body of a request; `null`: it has none. */
export function describeBody(route: RestRoute, options: RestOptions): BodyDescription | null {
  const { method, kind, otherArguments, operation, required: wanted } = route
  if (method === 'GET' || method === 'DELETE') return null
  const id = kind === 'update-many' && operation.kind === 'mutation' ? idArgument(operation) : null
  const args = otherArguments.filter((argument) => argument !== id)
  if (args.length === 0) return null
  const names = new Set(wanted.map(({ wireName }) => wireName))
  return {
    types: method === 'PATCH' ? PATCH_BODY : JSON_BODY,
    optional: false,
    members: bodyMembers(args).map((field) => ({
      field,
      required: names.has(field.wireName) || (isRequired(field) && !isLeftAsItIs(route, args, field)),
    })),
    input: bodyInput(args),
    shape: kind === 'create' ? 'either' : kind === 'create-many' ? 'many' : 'one',
    mostRows: options.max_bulk_affected,
  }
}

function isRequired({ type, default: byDefault }: InputFieldModel): boolean {
  return !type.nullable && byDefault === undefined
}

/** What a PATCH leaves out is read from the row. */
function isLeftAsItIs(route: RestRoute, args: readonly ArgumentModel[], { wireName }: InputFieldModel): boolean {
  return route.kind === 'update' && bodyInput(args) === null && isFilled(route, wireName)
}
