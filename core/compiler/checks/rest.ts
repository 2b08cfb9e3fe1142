import { toWireName } from '../../base/util/naming.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import type { CompileContext } from '../ground/context.ts'

const METHOD_OF_OPERATION = { CREATE: 'POST', UPDATE: 'PATCH', DELETE: 'DELETE', CUSTOM: 'POST' } as const

/** REST routes that were written by hand: well formed, with placeholders that are arguments, and each only once. */
export function checkRest(context: CompileContext): void {
  const { schema, report } = context
  const routes = new Map<string, string>()
  const operations = [
    ...(schema.queries ?? []).map((query) => ({ kind: 'Query', operation: query, method: 'GET' })),
    ...(schema.mutations ?? []).map((mutation) => ({
      kind: 'Mutation',
      operation: mutation,
      method: METHOD_OF_OPERATION[mutation.operation ?? 'CUSTOM'],
    })),
  ]
  for (const { kind, operation, method } of operations) {
    const { rest_path: path, name } = operation
    if (path === undefined) continue
    const label = `${kind} "${name}"`
    if (!path.startsWith('/') || /[\s?#]|\/\//.test(path)) {
      report.fault(
        'rest',
        `${label}: rest_path "${path}" is no path. It starts with / and has no spaces, ? or #.`,
        operation,
      )
      continue
    }
    const names = (operation.arguments ?? []).flatMap((argument) => [argument.name, toWireName(argument.name)])
    for (const [, placeholder = ''] of path.matchAll(/\{([^}]*)\}/g)) {
      if (names.includes(placeholder)) continue
      const hint = didYouMean(placeholder, names)
      report.fault(
        'rest',
        `${label}: rest_path has {${placeholder}}, which is none of its arguments.${hint}`,
        operation,
      )
    }
    if (/[{}]/.test(path.replace(/\{[^{}]*\}/g, ''))) {
      report.fault('rest', `${label}: rest_path "${path}" has a brace that is not closed.`, operation)
    }
    const verb = operation.rest_method ?? method
    const route = `${verb} ${path.replace(/\{[^}]*\}/g, '{}')}`
    const other = routes.get(route)
    if (other === undefined) routes.set(route, label)
    else
      report.fault(
        'rest',
        `${label}: ${verb} ${path} is the route of ${other} already. Give one of them another rest_path or rest_method.`,
        operation,
      )
  }
}
