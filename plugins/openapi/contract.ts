import { defineContract } from '../../core/doors/command.ts'
import type { OwnedCredential } from '../../core/doors/front.ts'
import { describeRoutes } from '../rest/api.ts'
import { describeService } from './describe-service.ts'
import { buildDocument } from './document/build-document.ts'
import type { OpenApiOptions } from './options.ts'

/** Stand for the credentials of the service, which plugins declare at set-up: the document shows which operations need one. */
const CREDENTIALS: readonly OwnedCredential[] = [
  { plugin: 'jwt', id: 'token', in: 'header', name: 'authorization', scheme: 'bearer' },
  { plugin: 'api-keys', id: 'apiKey', in: 'header', name: 'x-api-key', scheme: 'key' },
]

/** Describes the REST API as an OpenAPI document, which `svc diff` compares. */
export default defineContract<OpenApiOptions>({
  consumers: 'rest',
  servedBy: 'rest',
  describe({ schema, config, options }) {
    const { rest } = config
    if (rest === undefined) return null
    const routes = describeRoutes(schema, { options: rest, maxRows: config.svc.max_rows })
    const facts = { path: rest.path, requireAuth: rest.require_auth }
    return buildDocument(describeService(routes, facts, options, config, CREDENTIALS))
  },
})
