import type { Preset } from '../core/config/preset.ts'
import apiKeys from '../plugins/api-keys/manifest.ts'
import apq from '../plugins/apq/manifest.ts'
import compression from '../plugins/compression/manifest.ts'
import cors from '../plugins/cors/manifest.ts'
import errorSanitization from '../plugins/error-sanitization/manifest.ts'
import graphiql from '../plugins/graphiql/manifest.ts'
import metrics from '../plugins/metrics/manifest.ts'
import middleware from '../plugins/middleware/manifest.ts'
import openapi from '../plugins/openapi/manifest.ts'
import policies from '../plugins/policies/manifest.ts'
import queryLimits from '../plugins/query-limits/manifest.ts'
import rest from '../plugins/rest/manifest.ts'
import { minimal } from './minimal.ts'

/** The preset with the plugins that most services need. It is the default. */
export const standard: Preset = {
  name: 'standard',
  extends: minimal,
  plugins: [
    {
      manifest: middleware,
      load: () => import('../plugins/middleware/index.ts'),
      modules: { './compile': () => import('../plugins/middleware/compile.ts') },
    },
    { manifest: apq, load: () => import('../plugins/apq/index.ts') },
    { manifest: queryLimits, load: () => import('../plugins/query-limits/index.ts') },
    {
      manifest: rest,
      load: () => import('../plugins/rest/index.ts'),
      modules: {
        './compile': () => import('../plugins/rest/compile.ts'),
        './check-keys': () => import('../plugins/rest/check-keys.ts'),
        './command': () => import('../plugins/rest/command.ts'),
      },
    },
    {
      manifest: openapi,
      load: () => import('../plugins/openapi/index.ts'),
      modules: {
        './command': () => import('../plugins/openapi/command.ts'),
        './contract': () => import('../plugins/openapi/contract.ts'),
      },
    },
    {
      manifest: apiKeys,
      load: () => import('../plugins/api-keys/index.ts'),
      modules: { './command': () => import('../plugins/api-keys/command.ts') },
    },
    {
      manifest: policies,
      load: () => import('../plugins/policies/index.ts'),
      modules: { './compile': () => import('../plugins/policies/compile.ts') },
    },
    { manifest: metrics, load: () => import('../plugins/metrics/index.ts') },
    { manifest: cors, load: () => import('../plugins/cors/index.ts') },
    { manifest: compression, load: () => import('../plugins/compression/index.ts') },
    { manifest: errorSanitization, load: () => import('../plugins/error-sanitization/index.ts') },
    { manifest: graphiql, load: () => import('../plugins/graphiql/index.ts'), developmentOnly: true },
  ],
}
