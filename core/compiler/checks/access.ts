import { claimPathFault } from '../../base/util/lookup.ts'
import { toSnakeCase } from '../../base/util/naming.ts'
import { didYouMean } from '../../base/util/nearest.ts'
import { rowFilterProblem } from '../../schema/row-filter.ts'
import type { CompileContext } from '../ground/context.ts'

const PARAMETER = /^[A-Za-z_][A-Za-z0-9_]*$/
const CLAIM = /^jwt:\S.*$/s

/**
 * Checks the access options of queries, mutations and subscriptions: they must not contradict each other (`public` with
 * `authenticated`), and claims must have valid names.
 */
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
        ['authenticated', operation.authenticated === true],
        ['api_key_required', operation.api_key_required === true],
        ['inject', Object.keys(inject).length > 0],
      ] as const
      for (const [option, set] of guards) {
        if (open !== true || !set) continue
        report.fault(
          'access',
          `${label} is public and has ${option}, which requires a credential. Drop one of them.`,
          operation,
        )
      }
      checkInject(context, label, inject, operation)
      for (const parameter of Object.keys(inject)) {
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

/**
 * Checks an `inject` option, which fills SQL parameters with token claims: names of parameters must be valid, and
 * values must have the form `jwt:<claim>`.
 * @param label name of the element with the option, for messages
 * @param at the element, for the location of faults
 */
export function checkInject(
  { report }: CompileContext,
  label: string,
  inject: Readonly<Record<string, string>>,
  at: Parameters<CompileContext['report']['fault']>[2],
): void {
  for (const [parameter, source] of Object.entries(inject)) {
    if (!PARAMETER.test(parameter)) {
      report.fault('inject', `${label}: inject: "${parameter}" is no parameter name: letters, digits and _ only.`, at)
    }
    if (CLAIM.test(source)) {
      const fault = claimPathFault(source.slice('jwt:'.length))
      if (fault !== null) report.fault('inject', `${label}: inject "${parameter}": ${fault}.`, at)
      continue
    }
    const hint = source.startsWith('jwt:') ? 'the claim is missing' : `"${source}" has no known source`
    report.fault(
      'inject',
      `${label}: inject "${parameter}": ${hint}. Write it as "jwt:<claim>", for example "jwt:sub".`,
      at,
    )
  }
}
