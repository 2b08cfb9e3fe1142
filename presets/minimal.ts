import type { Preset } from '../core/config/preset.ts'
import graphql from '../plugins/graphql/manifest.ts'
import health from '../plugins/health/manifest.ts'
import jwt from '../plugins/jwt/manifest.ts'
import pglite from '../plugins/pglite/manifest.ts'
import postgres from '../plugins/postgres/manifest.ts'
import scopes from '../plugins/scopes/manifest.ts'

/**
 * The preset with the fewest plugins that can serve an API: database drivers, GraphQL, access control, health probes.
 */
export const minimal: Preset = {
  name: 'minimal',
  plugins: [
    { manifest: postgres, load: () => import('../plugins/postgres/index.ts') },
    { manifest: pglite, load: () => import('../plugins/pglite/index.ts') },
    {
      manifest: graphql,
      load: () => import('../plugins/graphql/index.ts'),
      modules: { './sdl': () => import('../plugins/graphql/sdl.ts') },
    },
    {
      manifest: jwt,
      load: () => import('../plugins/jwt/index.ts'),
      modules: { './doctor': () => import('../plugins/jwt/doctor.ts') },
    },
    {
      manifest: scopes,
      load: () => import('../plugins/scopes/index.ts'),
      modules: { './check-keys': () => import('../plugins/scopes/check-keys.ts') },
    },
    { manifest: health, load: () => import('../plugins/health/index.ts') },
  ],
}
