import { defineKeyCheck } from '../../core/doors/command.ts'
import { toWireName } from '../../core/doors/front.ts'
import { didYouMean } from '../../core/doors/plugin.ts'

const METHOD_OF_OPERATION = { CREATE: 'POST', UPDATE: 'PATCH', DELETE: 'DELETE', CUSTOM: 'POST' } as const

/**
 * Compile check of `rest_path` in `schema.json`: each path is well formed and unique, and its placeholders are
 * arguments.
 */
export default defineKeyCheck(({ schema, fault }) => {
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
      fault('rest', `${label}: rest_path "${path}" is no path. It starts with / and has no spaces, ? or #.`, operation)
      continue
    }
    const names = (operation.arguments ?? []).flatMap((argument) => [argument.name, toWireName(argument.name)])
    for (const [, placeholder = ''] of path.matchAll(/\{([^}]*)\}/g)) {
      if (names.includes(placeholder)) continue
      const hint = didYouMean(placeholder, names)
      fault('rest', `${label}: rest_path has {${placeholder}}, which is none of its arguments.${hint}`, operation)
    }
    if (/[{}]/.test(path.replace(/\{[^{}]*\}/g, ''))) {
      fault('rest', `${label}: rest_path "${path}" has a brace that is not closed.`, operation)
    }
    const verb = operation.rest_method ?? method
    const route = `${verb} ${path.replace(/\{[^}]*\}/g, '{}')}`
    const other = routes.get(route)
    if (other === undefined) routes.set(route, label)
    else
      fault(
        'rest',
        `${label}: ${verb} ${path} is the route of ${other} already. Give one of them another rest_path or rest_method.`,
        operation,
      )
  }
  for (const mutation of schema.mutations ?? []) {
    if (mutation.upsert_function === undefined || mutation.operation === 'CREATE') continue
    const message = `Mutation "${mutation.name}" has an upsert_function, which is called for rows that are sent to be created: its operation has to be CREATE.`
    fault('rest', message, mutation)
  }
})
