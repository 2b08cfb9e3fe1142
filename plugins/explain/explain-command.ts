import { defineCommandRunner } from '../../core/doors/command.ts'
import type { Report } from './api.ts'
import { parse, readArguments, usage } from './read-arguments.ts'

const FORMATS = ['text', 'sql', 'plan', 'json']

/** Runs the command `svc explain`, which prints the SQL and the plan of a request. */
export default defineCommandRunner(async ({ positionals: [given], flags }, { io, boot }) => {
  const format = flags.json === true ? 'json' : (flags.format ?? 'text')
  if (typeof format !== 'string' || !FORMATS.includes(format)) throw usage(`--format is one of ${FORMATS.join(', ')}.`)
  const request = await readArguments(given, flags, io.cwd)
  const as = parse(flags.as, '--as')
  const service = await boot()
  const report = await service.provided('explain')!.explainAs(as, request)
  io.stdout(print(report, format))
})

function print(report: Report, format: string): string {
  const { sql, parameters, plan, views_accessed, complexity, estimated_cost, warnings, database_plan } = report
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`
  if (format === 'sql') return `${sql}\n`
  if (format === 'plan') return `${JSON.stringify(database_plan ?? [], null, 2)}\n`
  const { depth, complexity: weight, alias_count: aliases } = complexity
  const lines = [
    sql,
    '',
    ...parameters.flatMap((each, i) => (each.length === 0 ? [] : [`parameters ${i + 1}: ${JSON.stringify(each)}`])),
    `reads:        ${views_accessed.join(', ') || 'nothing'}`,
    `complexity:   ${weight} (depth ${depth}, ${aliases} aliases)`,
    `cost:         ${estimated_cost}`,
    ...(plan === null ? [] : ['plan:', ...plan.split('\n').map((line) => `  ${line}`)]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
  return `${lines.join('\n')}\n`
}
