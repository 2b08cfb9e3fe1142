import { type ArgumentModel, coerceInput, queryStrings, shapeOf } from '../../../core/doors/front.ts'
import { type HttpExchange, SvcError } from '../../../core/doors/plugin.ts'
import { badInput, invalidFields } from '../request/refusals.ts'
import type { RestRoute } from '../routes/rest-route.ts'

/**
 * Converts the text of a query parameter or path segment to the type of its argument.
 * @throws SvcError VALIDATION_ERROR with status 422
 */
export function readArgument(argument: ArgumentModel, text: string): unknown {
  const { wireName, type, named } = argument
  try {
    return coerceInput(type, named, queryStrings.textValue(text, type, shapeOf(named), named), [wireName])
  } catch (error) {
    throw invalidFields([{ field: wireName, reason: error instanceof Error ? error.message : String(error) }])
  }
}

/**
 * Reads the arguments in the path of a REST request.
 * @returns values by GraphQL name
 * @throws SvcError BAD_USER_INPUT with status 400
 */
export function pathArguments({ pathArguments: all }: RestRoute, ctx: HttpExchange): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const argument of all) {
    try {
      given[argument.wireName] = readArgument(argument, ctx.params[argument.wireName] ?? '')
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      throw badInput(error.message, argument.wireName)
    }
  }
  return given
}

/**
 * Checks that a REST request has all required arguments that are not in its path.
 * @throws SvcError VALIDATION_ERROR with status 400 that names all missing arguments
 */
export function requireArguments({ otherArguments }: RestRoute, given: Readonly<Record<string, unknown>>): void {
  const missing = otherArguments.filter(
    ({ wireName, type, default: value }) => !type.nullable && value === undefined && !Object.hasOwn(given, wireName),
  )
  if (missing.length === 0) return
  const fields = missing.map(({ wireName }) => ({ field: wireName, reason: 'the parameter has to be given' }))
  throw invalidFields(fields, 400)
}
