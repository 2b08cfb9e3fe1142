import { defineCommandRunner, EXIT, printJson } from '../../core/doors/command.ts'
import type {} from './api.ts'
import { readArguments, usage } from './read-arguments.ts'

/** Runs the command `svc cost`, which prints depth, complexity and aliases of a request. */
export default defineCommandRunner(async ({ positionals: [given], flags }, { io, boot }) => {
  const most = readMost(flags['max-cost'])
  const request = await readArguments(given, flags, io.cwd)
  const service = await boot()
  const measured = await service.provided('explain')!.measure(null, request)
  const { complexity, depth, alias_count: aliases } = measured
  const allowed = most === null || complexity <= most
  if (flags.json === true) printJson(io, { ...measured, max_cost: most, allowed })
  else io.stdout(`complexity ${complexity}, depth ${depth}, ${aliases} aliases\n`)
  if (allowed) return EXIT.ok
  if (flags.json !== true) io.stderr(`It is more than --max-cost ${most}: select less, or ask in parts.\n`)
  return EXIT.invalid
})

function readMost(value: string | boolean | undefined): number | null {
  if (value === undefined) return null
  const most = Number(value)
  if (!Number.isSafeInteger(most) || most < 0) throw usage('--max-cost is a whole number.')
  return most
}
