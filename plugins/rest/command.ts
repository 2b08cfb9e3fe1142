import { defineCommandRunner, printJson } from '../../core/doors/command.ts'
import type { RestOptions } from './options.ts'
import { deriveRoutes } from './routes/derive-routes.ts'

/** Runs the command `svc routes`, which lists the REST routes. */
export default defineCommandRunner<RestOptions>(async ({ flags }, { io, options, loadSchema }) => {
  const { routes } = deriveRoutes(await loadSchema(), options)
  const lines = routes.map(({ method, path, operation, kind }) => ({
    method,
    path: `${options.path}${path}`,
    operation: operation.wireName,
    does: kind,
  }))
  if (flags.json === true) {
    printJson(io, lines)
    return
  }
  const width = Math.max(0, ...lines.map(({ path }) => path.length))
  for (const { method, path, operation } of lines)
    io.stdout(`${method.padEnd(6)} ${path.padEnd(width)}  ${operation}\n`)
})
