// Starts what users start: the built CLI with the standard preset, on the kit's database. `npm run build` comes first.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const project = `${root}bench/kit-project`

/** The same on Bun. */
export function svcOnBun(bun) {
  const version = execFileSync(bun, ['--version']).toString().trim()
  return {
    ...svcTarget(process.execPath, `"${bun}" --bun`),
    id: 'svc-bun',
    title: `svc (Bun ${version})`,
    runtime: 'bun',
  }
}

/** @param runner what runs svc, as a shell has it; default: this Node */
export function svcTarget(node, runner = `"${node}"`) {
  const major = execFileSync(node, ['-p', 'process.versions.node']).toString().split('.')[0]
  return {
    id: `svc-n${major}`,
    title: `svc (Node ${major})`,
    kind: 'http',
    runtime: `node${major}`,
    start: {
      cmd: `"${node}" "${root}bin/svc.js" compile --config "${project}/svc.toml" && exec ${runner} "${root}bin/svc.js" run "${project}/svc.toml" --port $PORT`,
      shell: true,
      env: { NODE_ENV: 'production', SVC_DIST: '1', SVC_LOG_LEVEL: 'warn' },
    },
    path: () => '/graphql',
    readyPath: '/health',
    body: (w) => ({ query: w.query, variables: w.variables }),
  }
}
