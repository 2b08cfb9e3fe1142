import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { CORE_SECTIONS } from '../../core/config/core-sections.ts'
import { skip } from '../helpers/services.ts'
import { ROOT, read } from '../repo/source-files.ts'
import { readDockerfile, readImage } from './dockerfile.ts'

// biome-ignore lint/suspicious/noExplicitAny: files of other programs, looked at by assertions
type Any = any

const server = (CORE_SECTIONS as Any).find(({ path }: Any) => path === 'server')
const byDefault = (key: string): number => server.schema.properties[key].default as number
/** What closing takes besides the requests (core/cli/run/run.ts). */
const CLOSING_MS = 15_000
const stops = (graceMs = byDefault('shutdown_grace_ms')): number =>
  graceMs + byDefault('shutdown_timeout_ms') + CLOSING_MS
/** Paths of the plugin `health`. */
const HEALTH = read('plugins/health/index.ts')
const PORT = byDefault('port')

t.test('Dockerfile', async (t) => {
  const [packages = [], image = []] = readDockerfile()
  t.equal(readDockerfile().length, 2)
  const { user, port, env, command, healthCheck } = readImage()
  t.match(user, /^[1-9]\d*:[1-9]\d*$/, 'by number, and not root')
  t.equal(port, PORT)
  t.same(env, { NODE_ENV: 'production', SVC_SERVER__HOST: '0.0.0.0', SVC_SERVER__PORT: String(PORT) })
  for (const key of ['host', 'port']) t.ok(server.schema.properties[key], `server.${key}`)
  t.same([command[0], command[2]], ['node', 'run'])
  t.ok(existsSync(join(ROOT, command[1]!.replace('node_modules/svc/', ''))), `${command[1]} is there`)
  const [, path = ''] = /127\.0\.0\.1:8080(\/[a-z/]+)/.exec(healthCheck[2]!) ?? []
  t.ok(HEALTH.includes(`'${path}'`), `${path} is a route of the plugin health`)
  // Everything that follows the user could not be written by it, and nothing before belongs to it.
  const names = image.map(({ name }) => name)
  t.ok(names.indexOf('USER') > names.lastIndexOf('COPY'), 'the project belongs to root')
  t.notMatch(JSON.stringify(image), /--chown|chmod/)
  t.match(packages.at(-1)?.text, /^npm ci --omit=dev --ignore-scripts$/)
  const copied = packages.filter(({ name }) => name === 'COPY').flatMap(({ text }) => text.split(' ').slice(0, -1))
  // A packed svc in the folder of the project is there before npm asks for it; from git svc could not be built here.
  t.same(copied, ['package.json', 'package-lock.json', '*.tgz'])
  t.match(read('docs/guides/run-in-docker.md'), /npm install svc@file:svc-server-\d/)
  const [major = 0] = JSON.parse(read('package.json')).engines.node.match(/\d+/).map(Number)
  t.ok(Number(/NODE_VERSION=(\d+)/.exec(read('deploy/docker/Dockerfile'))?.[1]) >= major)
  const ignored = read('deploy/docker/.dockerignore').split('\n')
  for (const each of ['node_modules', '.git', '.env', '.svc']) t.ok(ignored.includes(each), each)
  t.notOk(ignored.some((line) => line.includes('tgz')))
})

t.test('compose.yaml', async (t) => {
  const { services, volumes } = parse(read('deploy/compose/compose.yaml')) as Any
  const { svc, postgres } = services
  t.match(svc, {
    build: /^\.$/,
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    depends_on: { postgres: { condition: 'service_healthy' } },
    ports: [`127.0.0.1:${PORT}:${PORT}`],
  })
  const url = new URL(svc.environment.DATABASE_URL.replace(/\$\{.*?\}/, 'x'))
  t.same(
    [url.hostname, url.username, url.pathname.slice(1)],
    ['postgres', postgres.environment.POSTGRES_USER, postgres.environment.POSTGRES_DB],
  )
  t.match(postgres.healthcheck.test, ['CMD', 'pg_isready'], 'what svc waits for')
  t.match(postgres.volumes, ['data:/var/lib/postgresql/data', './db:/docker-entrypoint-initdb.d:ro'])
  t.ok('data' in volumes)
  t.ok(Number.parseInt(svc.stop_grace_period, 10) * 1000 >= stops(), 'as long as svc takes to stop')
  const text = read('deploy/compose/compose.yaml')
  for (const [variable] of text.matchAll(/\$\{[^}]+\}/g)) t.match(variable, /^\$\{[A-Z_]+:\?/, 'no default secret')
})

t.test('Kubernetes', async (t) => {
  const all = parseAllDocuments(read('deploy/kubernetes/svc.yaml')).map((document) => {
    t.same(document.errors, [])
    return document.toJS() as Any
  })
  const kind = (name: string): Any => all.find((each) => each.kind === name)
  t.same(
    all.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    ['apps/v1 Deployment', 'v1 Service', 'policy/v1 PodDisruptionBudget'],
  )
  const { spec } = kind('Deployment')
  const pod = spec.template.spec
  const [svc] = pod.containers
  const labels = spec.template.metadata.labels
  for (const selector of [
    spec.selector.matchLabels,
    kind('Service').spec.selector,
    kind('PodDisruptionBudget').spec.selector.matchLabels,
    pod.topologySpreadConstraints[0].labelSelector.matchLabels,
  ]) {
    t.same(selector, labels)
  }
  t.ok(kind('PodDisruptionBudget').spec.minAvailable < spec.replicas, 'a node can be drained')
  t.match(spec.strategy, { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
  const { env, port, user } = readImage()
  t.same([svc.ports[0].containerPort, kind('Service').spec.ports[0].targetPort], [port, svc.ports[0].name])
  t.equal(env.SVC_SERVER__PORT, String(port))
  for (const [probe, path] of [
    [svc.startupProbe, '/health/live'],
    [svc.livenessProbe, '/health/live'],
    [svc.readinessProbe, '/health/ready'],
  ]) {
    t.same(probe.httpGet, { path, port: 'http' })
    t.ok(HEALTH.includes(`'${path}'`))
  }
  t.match(svc.securityContext, {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  })
  t.match(pod, {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  })
  t.equal(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`, user)
  t.equal(svc.volumeMounts[0].name, pod.volumes[0].name)
  const value = (name: string): Any => svc.env.find((each: Any) => each.name === name)
  for (const { name } of svc.env) {
    const key = /^SVC_SERVER__(.*)$/.exec(name)?.[1]?.toLowerCase()
    if (key !== undefined) t.ok(server.schema.properties[key], `${name} is a key`)
  }
  t.ok(pod.terminationGracePeriodSeconds * 1000 >= stops(Number(value('SVC_SERVER__SHUTDOWN_GRACE_MS').value)))
  const secrets = read('deploy/kubernetes/svc.yaml').match(/--from-literal=([a-z-]+)/g)
  for (const name of ['DATABASE_URL', 'JWT_SECRET']) {
    const { key } = value(name).valueFrom.secretKeyRef
    t.ok(secrets?.includes(`--from-literal=${key}`), `the command makes ${key}`)
  }
})

t.test('systemd', async (t) => {
  const unit = read('deploy/systemd/svc.service')
  const of = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  t.match(of('ExecStart'), /^\/usr\/bin\/node node_modules\/svc\/bin\/svc\.js run$/)
  t.ok(Number(of('TimeoutStopSec')) * 1000 >= stops())
  t.equal(of('RestartPreventExitStatus'), '2')
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    return skip(t, 'systemd-analyze', 'systemd-analyze does not run here')
  }
  const folder = t.testdir({})
  // On a machine whose Node lies elsewhere the unit's own path is none.
  const path = join(folder, 'svc.service')
  writeFileSync(path, unit.replace('/usr/bin/node', process.execPath))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  t.same([verified.status, verified.stderr.split('\n').filter((line) => line.includes('svc.service'))], [0, []])
  const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path], {
    encoding: 'utf8',
  })
  t.equal(security.status, 0, security.stdout.split('\n').at(-2) ?? '')
})

t.test('all of it is in the package, and has a page that says what was tried', async (t) => {
  t.ok(JSON.parse(read('package.json')).files.includes('deploy'))
  for (const [page, file] of [
    ['run-in-docker', 'deploy/docker/Dockerfile'],
    ['run-with-compose', 'deploy/compose/compose.yaml'],
    ['run-with-systemd', 'deploy/systemd/svc.service'],
    ['run-in-kubernetes', 'deploy/kubernetes/svc.yaml'],
  ] as const) {
    const text = read(`docs/guides/${page}.md`)
    t.ok(text.includes(file.replace('deploy/', 'node_modules/svc/deploy/')), `${page} names ${file}`)
    t.match(text, /^## Tested behaviour/m, page)
    t.ok(read(file).includes(`docs/guides/${page}.md`), `${file} names its page`)
    t.ok(read('docs/guides/deploy.md').includes(`(${page}.md)`), `deploy.md links ${page}`)
  }
})
