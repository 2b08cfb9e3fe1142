import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineCommandRunner, printJson } from '../../core/doors/command.ts'
import { describeRoutes } from '../rest/api.ts'
import { describeService } from './describe-service.ts'
import { buildDocument } from './document/build-document.ts'
import type { OpenApiOptions } from './options.ts'

/** Runs the command `svc openapi`, which prints the OpenAPI document. */
export default defineCommandRunner<OpenApiOptions>(
  async ({ positionals: [file], flags }, { io, config, options, loadSchema, credentials }) => {
    const { rest } = config
    if (rest === undefined) throw new Error('The configuration has no section [rest].')
    const { max_rows: maxRows } = config.svc
    const routes = describeRoutes(await loadSchema(file), { options: rest, maxRows })
    const facts = { path: rest.path, requireAuth: rest.require_auth }
    const text = `${JSON.stringify(buildDocument(describeService(routes, facts, options, config, await credentials())), null, 2)}\n`
    if (typeof flags.output !== 'string') {
      io.stdout(text)
      return
    }
    await writeFile(resolve(io.cwd, flags.output), text)
    if (flags.json === true) printJson(io, { written: flags.output, routes: routes.length })
    else io.stdout(`${flags.output}: ${routes.length} routes\n`)
  },
)
