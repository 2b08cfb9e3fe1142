// Starts what users start: the built CLI with the standard preset, on the kit's database. `npm run build` comes first.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const project = `${root}bench/kit-project`

export function svcTarget(node) {
  const major = execFileSync(node, ['-p', 'process.versions.node']).toString().split('.')[0]
  return {
    id: `svc-n${major}`,
    title: `svc (Node ${major})`,
    kind: 'http',
    runtime: `node${major}`,
    start: {
      cmd: `"${node}" "${root}bin/svc.js" compile --config "${project}/svc.toml" && exec "${node}" "${root}bin/svc.js" run "${project}/svc.toml" --port $PORT`,
      shell: true,
      env: { NODE_ENV: 'production', SVC_DIST: '1', SVC_LOG_LEVEL: 'warn' },
    },
    path: () => '/graphql',
    readyPath: '/health',
    body: (w) => ({ query: w.query, variables: w.variables }),
  }
}
