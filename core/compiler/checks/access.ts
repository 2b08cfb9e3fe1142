import { toSnakeCase } from '../../util/naming.ts'
import { didYouMean } from '../../util/nearest.ts'
import type { CompileContext } from '../context.ts'

const PARAMETER = /^[A-Za-z_][A-Za-z0-9_]*$/
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g
const PLACEHOLDER = /\{[A-Za-z_][\w.]*\}/
const CLAIM = /^jwt:\S.*$/s

/** Options that decide who may call: they must not contradict each other, and claims must be well named. */
export function checkAccess(context: CompileContext): void {
  const { schema, report } = context
  for (const [kind, operations] of [
    ['Query', schema.queries],
    ['Mutation', schema.mutations],
    ['Subscription', schema.subscriptions],
  ] as const) {
    for (const operation of operations ?? []) {
      const label = `${kind} "${operation.name}"`
      const { public: open, inject = {} } = operation
      const guards = [
        ['requires_role', operation.requires_role !== undefined],
        ['requires_scope', operation.requires_scope !== undefined],
        ['authenticated', operation.authenticated === true],
        ['api_key_required', operation.api_key_required === true],
        ['inject', Object.keys(inject).length > 0],
      ] as const
      for (const [option, set] of guards) {
        if (open !== true || !set) continue
        report.fault(
          'access',
          `${label} is public and has ${option}, which nobody without a credential can meet. Drop one of them.`,
          operation,
        )
      }
      for (const [parameter, source] of Object.entries(inject)) {
        if (!PARAMETER.test(parameter)) {
          report.fault(
            'inject',
            `${label}: inject: "${parameter}" is no parameter name: letters, digits and _ only.`,
            operation,
          )
        }
        if (!CLAIM.test(source)) {
          const hint = source.startsWith('jwt:') ? 'the claim is missing' : `"${source}" has no known source`
          report.fault(
            'inject',
            `${label}: inject "${parameter}": ${hint}. Write it as "jwt:<claim>", for example "jwt:sub".`,
            operation,
          )
        }
        const clash = (operation.arguments ?? []).find(
          (argument) => toSnakeCase(argument.name) === toSnakeCase(parameter),
        )
        if (clash !== undefined) {
          report.fault(
            'inject',
            `${label}: "${parameter}" is injected and is an argument too; clients could not tell. Drop the argument.`,
            operation,
          )
        }
      }
    }
  }
  for (const query of schema.queries ?? []) {
    const names = (query.arguments ?? []).map((argument) => argument.name)
    if (query.id_arg !== undefined && !names.includes(query.id_arg)) {
      report.fault(
        'id-arg',
        `Query "${query.name}": id_arg "${query.id_arg}" is none of its arguments.${didYouMean(query.id_arg, names)}`,
        query,
      )
    }
    const problem = query.row_filter === undefined ? null : rowFilterProblem(query.row_filter)
    if (problem !== null) report.fault('row-filter', `Query "${query.name}": row_filter: ${problem}`, query)
  }
}

/** The condition is the author's SQL; what is checked is that it can stand in parentheses and that placeholders are names. */
export function rowFilterProblem(text: string): string | null {
  for (const [quoted] of text.matchAll(QUOTED)) {
    if (!PLACEHOLDER.test(quoted)) continue
    return `a placeholder stands inside the quotes of ${quoted}. Write it bare: it is bound as a value. (An array literal is ARRAY['…'].)`
  }
  const outside = text.replace(QUOTED, '?')
  if (/['"]/.test(outside)) return 'a quote is not closed.'
  if (/;|--|\/\*|\$\d/.test(outside)) {
    return 'it is one condition, without ";", comments or "$1". Values from the request are {name}.'
  }
  for (const [braces] of outside.matchAll(/\{[^{}]*\}/g)) {
    if (!PLACEHOLDER.test(braces)) return `"${braces}" is no placeholder. Write a name: {tenant_id}.`
  }
  if (/[{}]/.test(outside.replace(/\{[^{}]*\}/g, ''))) return 'a brace is not closed.'
  let depth = 0
  for (const char of outside) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (depth < 0) break
  }
  return depth === 0 ? null : 'its parentheses do not match.'
}
