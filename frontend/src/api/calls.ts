/** The page's requests to the API, by name. */

import { sortByName } from "./byName";
import { toCheckResult, fromRefusal, type CheckResult } from "./checkResult";
import { Refusal } from "./refusal";
import { makeAddress, request } from "./request";
import { forgetRights } from "./rights";
import type {
  Adoption,
  BatchSearch,
  AlertKind,
  AuditQuery,
  CaseChange,
  ChosenDeadLetters,
  Connection,
  Deploy,
  StateEstimateRequest,
  Document,
  ExportFile,
  GuardQuestion,
  GivenRole,
  LeftRecord,
  DeadLettersQuery,
  NewApiToken,
  NewChannel,
  NewCluster,
  DifferenceToKeep,
  NewBreakpoint,
  NewCorrection,
  NewProof,
  OnState,
  NewRecords,
  NewRedrive,
  NewRule,
  NewSilence,
  NewSparkCluster,
  NewTopic,
  NewUser,
  Origin,
  RecordSearch,
  RecordsToKeep,
  RecordToExplain,
  RowsQuery,
  Rule,
  Silence,
  Span,
  SparkConnection,
  StoredRow,
  TableRows,
  TopicChange,
  UserChange,
} from "./types";

export const fetchCatalogue = () => request("get", "/api/operators");

export const fetchGallery = () => request("get", "/api/gallery");
export const listTopologies = async () => sortByName(await request("get", "/api/topologies"));
export const fetchTopology = (id: number) =>
  request("get", "/api/topologies/{topology_id}", { path: { topology_id: id } });
/** In a project, or in the one named default. */
export const estimateState = (body: StateEstimateRequest) => request("post", "/api/trials/state", { body });
export const importTopology = (content: ExportFile, project = "default") =>
  request("post", "/api/topologies/import", { query: { project }, body: content });
export const readDescription = (description: string) =>
  request("post", "/api/descriptions/read", { body: { description } });
export const createTopology = (name: string, project: string) =>
  request("post", "/api/topologies", { body: { name, project } });
export const changeTopology = (id: number, change: { readonly name?: string; readonly slug?: string }) =>
  request("patch", "/api/topologies/{topology_id}", { path: { topology_id: id }, body: change });
export const moveTopology = (id: number, project: string) =>
  request("put", "/api/topologies/{topology_id}/project", { path: { topology_id: id }, body: { project } });
export const deleteTopology = (id: number) =>
  request("delete", "/api/topologies/{topology_id}", { path: { topology_id: id } });
export const exportTopology = (id: number) =>
  request("get", "/api/topologies/{topology_id}/export", { path: { topology_id: id } });
export const exportProgram = (id: number) =>
  request("get", "/api/topologies/{topology_id}/program", { path: { topology_id: id } });
export const exportJava = (id: number) =>
  request("get", "/api/topologies/{topology_id}/java", { path: { topology_id: id } });
/** The ACLs that its job needs, with commands that give them to `principal`. */
export const listAcls = (id: number, principal: string) =>
  request("get", "/api/topologies/{topology_id}/acls", { path: { topology_id: id }, query: { principal } });
/** Those ACLs that the cluster's user lacks. */
export const checkAcls = (id: number, principal: string) =>
  request("post", "/api/topologies/{topology_id}/acls/check", { path: { topology_id: id }, query: { principal } });
export const fetchDraft = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/draft", { path: { topology_id: topology } });
export const saveDraft = (topology: number, revision: number, document: Document) =>
  request("put", "/api/topologies/{topology_id}/draft", {
    path: { topology_id: topology },
    body: { revision, ...document },
  });
/** Returns one problem for a graph that cannot be checked. Fails only if the server does. */
export const checkDocument = (document: Document): Promise<CheckResult> =>
  request("post", "/api/check", { body: document }).then(toCheckResult, (error: unknown) => {
    if (error instanceof Refusal && error.status >= 400 && error.status < 500) return fromRefusal(error);
    throw error;
  });
export const checkExpression = (document: Document, node: string, field: string, text: string) =>
  request("post", "/api/expressions/check", { body: { ...document, node, field, text } });
/** The lineage of a field of the records that leave a node. */
export const traceField = (
  document: Document,
  field: { readonly node: string; readonly part: "key" | "value"; readonly path: readonly string[] },
) => request("post", "/api/lineage", { body: { ...document, ...field, path: [...field.path] } });
export const tryOut = (document: Document, node: string, cluster: string, lines: string | null) =>
  request("post", "/api/trials", { body: { ...document, node, cluster, lines } });
/** The windows that a node makes for the newest records. */
export const tryWindows = (document: Document, node: string, cluster: string) =>
  request("post", "/api/trials/windows", { body: { ...document, node, cluster } });
/** The path of a record through a trial of the whole graph. */
export const followRecord = (document: Document, cluster: string, lines: string | null, origin: Origin) =>
  request("post", "/api/trials/follow", { body: { ...document, ...origin, cluster, lines } });
type FollowedOfJob = { readonly record: Origin } | { readonly row: StoredRow } | { readonly node: string };
/** The same path in a job, which executes the batch again. For a node: that of the newest record that reached it. */
export const followInJob = (job: number, target: FollowedOfJob) =>
  request("post", "/api/jobs/{job_id}/follow", { path: { job_id: job }, body: target });
/** The inputs of its batch that made an output of a record of a job. */
export const findInputsInJob = (job: number, record: Origin, output: LeftRecord) =>
  request("post", "/api/jobs/{job_id}/inputs", { path: { job_id: job }, body: { record, output } });
/** The inputs that made an output of a record. */
export const findInputs = (
  document: Document,
  cluster: string,
  lines: string | null,
  origin: Origin,
  output: LeftRecord,
) => request("post", "/api/trials/inputs", { body: { ...document, ...origin, cluster, lines, output } });
/** Why nothing comes out of a node of a job, or of a graph in a trial. */
export const explainNodeOfJob = (job: number, node: string) =>
  request("get", "/api/jobs/{job_id}/why/{node}", { path: { job_id: job, node } });
export const explainNodeOfTrial = (document: Document, node: string, cluster: string) =>
  request("post", "/api/trials/why", { body: { ...document, node, cluster } });
/** Runs the draft, or a version, beside a job over its newest batches, and compares the results. */
export const startProof = (job: number, proof: NewProof) =>
  request("post", "/api/jobs/{job_id}/proof", { path: { job_id: job }, body: proof });
export const fetchProof = (job: number) => request("get", "/api/jobs/{job_id}/proof", { path: { job_id: job } });
/** Makes a difference a test case of the fewest records that show it. */
export const makeCase = (job: number, difference: DifferenceToKeep) =>
  request("post", "/api/jobs/{job_id}/proof/case", { path: { job_id: job }, body: difference });
/** Makes records of the job's topics, or a pinned batch, a test case. */
export const makeCaseOfRecords = (job: number, records: RecordsToKeep) =>
  request("post", "/api/jobs/{job_id}/cases", { path: { job_id: job }, body: records });
export const listPins = (job: number) => request("get", "/api/jobs/{job_id}/pins", { path: { job_id: job } });
export const pinBatch = (job: number, batch: number, note: string, record: Origin | null) =>
  request("put", "/api/jobs/{job_id}/pins/{batch}", { path: { job_id: job, batch }, body: { note, record } });
export const unpinBatch = (job: number, batch: number) =>
  request("delete", "/api/jobs/{job_id}/pins/{batch}", { path: { job_id: job, batch } });
export const cutOver = (job: number, on_state: OnState) =>
  request("post", "/api/jobs/{job_id}/proof/cut-over", { path: { job_id: job }, body: { on_state } });
/** What Kafka knows of a Kafka Streams application, beside the drawing that is to continue it. */
export const lookAtApplication = (adoption: Adoption) =>
  request("post", "/api/jobs/preview-adoption", { body: adoption });
/** From the beginning of its input, or with its state over what it reads in so many seconds. */
export const compareApplication = (adoption: Adoption, live_seconds: number) =>
  request("post", "/api/jobs/compare-adoption", { body: { ...adoption, live_seconds } });
export const adoptApplication = (adoption: Adoption) => request("post", "/api/jobs/adopt", { body: adoption });
export const fetchCutOver = (job: number) =>
  request("get", "/api/jobs/{job_id}/cut-over", { path: { job_id: job } });
export const goBack = (job: number, at_once: boolean) =>
  request("post", "/api/jobs/{job_id}/back", { path: { job_id: job }, body: { at_once } });
export const stopProof = (job: number) => request("post", "/api/jobs/{job_id}/proof/stop", { path: { job_id: job } });
/** Works out what corrects the results that a job has sent since a batch. Nothing is sent. */
export const prepareCorrection = (job: number, correction: NewCorrection) =>
  request("post", "/api/jobs/{job_id}/correction", { path: { job_id: job }, body: correction });
export const fetchCorrection = (job: number) =>
  request("get", "/api/jobs/{job_id}/correction", { path: { job_id: job } });
export const sendCorrection = (job: number) =>
  request("post", "/api/jobs/{job_id}/correction/send", { path: { job_id: job } });
export const takeOverCorrected = (job: number) =>
  request("post", "/api/jobs/{job_id}/correction/take-over", { path: { job_id: job } });
export const listCases = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/cases", { path: { topology_id: topology } });
/** For a graph, or for the saved draft. */
export const runCases = (topology: number, document: (Document & { readonly cluster: string }) | null) =>
  request("post", "/api/topologies/{topology_id}/cases/run", { path: { topology_id: topology }, body: document ?? {} });
/** Null expects the present result of the graph. */
export const keepCase = (
  topology: number,
  testCase: { readonly name: string; readonly records: string; readonly expected: string | null } & Partial<Document>,
) => request("post", "/api/topologies/{topology_id}/cases", { path: { topology_id: topology }, body: testCase });
export const changeCase = (topology: number, id: number, change: CaseChange) =>
  request("patch", "/api/topologies/{topology_id}/cases/{case_id}", {
    path: { topology_id: topology, case_id: id },
    body: change,
  });
export const deleteCase = (topology: number, id: number) =>
  request("delete", "/api/topologies/{topology_id}/cases/{case_id}", { path: { topology_id: topology, case_id: id } });
export const listFunctions = () => request("get", "/api/expressions/functions");
export const listClusters = async () => {
  const answer = await request("get", "/api/clusters");
  return { ...answer, clusters: sortByName(answer.clusters) };
};
export const createCluster = (cluster: NewCluster) => request("post", "/api/clusters", { body: cluster });
export const changeCluster = (name: string, connection: Connection) =>
  request("put", "/api/clusters/{name}", { path: { name }, body: connection });
export const deleteCluster = (name: string) => request("delete", "/api/clusters/{name}", { path: { name } });
export const checkCluster = (name: string) => request("post", "/api/clusters/{name}/check", { path: { name } });
export const listTopicSchemas = (name: string, topic: string, subjects: Readonly<Record<string, string>> = {}) =>
  request("get", "/api/clusters/{name}/topics/{topic}/schemas", { path: { name, topic }, query: subjects });
export const listSubjects = async (name: string) => {
  const answer = await request("get", "/api/clusters/{name}/subjects", { path: { name } });
  return { ...answer, subjects: sortByName(answer.subjects) };
};
/** What a new schema of a topic does to everything that reads it. Registers nothing. */
export const guardTopic = (cluster: string, topic: string, body: GuardQuestion) =>
  request("post", "/api/clusters/{name}/topics/{topic}/guard", { path: { name: cluster, topic }, body });
export const fetchSubject = (name: string, subject: string) =>
  request("get", "/api/clusters/{name}/subjects/{subject}", { path: { name, subject } });
export const checkRegistry = (name: string) =>
  request("post", "/api/clusters/{name}/registry/check", { path: { name } });
export const listHosts = async () => {
  const answer = await request("get", "/api/hosts");
  return { ...answer, hosts: sortByName(answer.hosts) };
};
export const drainHost = (name: string) => request("post", "/api/hosts/{name}/drain", { path: { name } });
export const takeHostBack = (name: string) => request("post", "/api/hosts/{name}/take-back", { path: { name } });
export const forgetHost = (name: string) => request("delete", "/api/hosts/{name}", { path: { name } });
export const listTokens = () => request("get", "/api/tokens");
export const createToken = (token: NewApiToken) => request("post", "/api/tokens", { body: token });
export const deleteToken = (id: number) => request("delete", "/api/tokens/{token_id}", { path: { token_id: id } });
export const listSparkClusters = async () => {
  const answer = await request("get", "/api/spark-clusters");
  return { ...answer, clusters: sortByName(answer.clusters) };
};
export const createSparkCluster = (cluster: NewSparkCluster) =>
  request("post", "/api/spark-clusters", { body: cluster });
export const changeSparkCluster = (name: string, connection: SparkConnection) =>
  request("put", "/api/spark-clusters/{name}", { path: { name }, body: connection });
export const deleteSparkCluster = (name: string) => request("delete", "/api/spark-clusters/{name}", { path: { name } });
export const checkSparkCluster = (name: string) =>
  request("post", "/api/spark-clusters/{name}/check", { path: { name } });
export const fetchChosenCluster = async (topology: number) =>
  (await request("get", "/api/topologies/{topology_id}/cluster", { path: { topology_id: topology } })).cluster;
export const chooseCluster = (topology: number, cluster: string) =>
  request("put", "/api/topologies/{topology_id}/cluster", { path: { topology_id: topology }, body: { cluster } });
export const listTopicIssues = (cluster: string, document: Document) =>
  request("post", "/api/clusters/{name}/topic-issues", { path: { name: cluster }, body: { graph: document.graph } });
export const listTopics = async (cluster: string) =>
  sortByName(await request("get", "/api/clusters/{name}/topics", { path: { name: cluster } }));
/** What `Topology.describe()` prints for a Kafka Streams application, if the brokers keep it. */
export const describeApplication = (cluster: string, application: string) =>
  request("get", "/api/clusters/{name}/topology-description", { path: { name: cluster }, query: { application } });
export const createTopic = (cluster: string, settings: NewTopic) =>
  request("post", "/api/clusters/{name}/topics", { path: { name: cluster }, body: settings });
export const produce = (cluster: string, topic: string, records: NewRecords) =>
  request("post", "/api/clusters/{name}/topics/{topic}/records", { path: { name: cluster, topic }, body: records });
export const listTopicFacts = async (cluster: string) =>
  sortByName((await request("get", "/api/clusters/{name}/topic-facts", { path: { name: cluster } })).topics);
export const fetchTopicEnds = (cluster: string) =>
  request("get", "/api/clusters/{name}/topic-ends", { path: { name: cluster } });
export const fetchTopicDetails = (cluster: string, topic: string) =>
  request("get", "/api/clusters/{name}/topics/{topic}/facts", { path: { name: cluster, topic } });
export const searchRecords = (cluster: string, topic: string, search: RecordSearch) =>
  request("post", "/api/clusters/{name}/topics/{topic}/search", { path: { name: cluster, topic }, body: search });
export const changeTopic = (cluster: string, topic: string, change: TopicChange) =>
  request("patch", "/api/clusters/{name}/topics/{topic}/settings", { path: { name: cluster, topic }, body: change });
export const emptyTopic = (cluster: string, topic: string) =>
  request("post", "/api/clusters/{name}/topics/{topic}/empty", { path: { name: cluster, topic } });
export const deleteTopic = (cluster: string, topic: string) =>
  request("delete", "/api/clusters/{name}/topics/{topic}", { path: { name: cluster, topic } });
export const fetchExamples = (cluster: string, topic: string, count = 20) =>
  request("get", "/api/clusters/{name}/topics/{topic}", { path: { name: cluster, topic }, query: { count } });
export const listVersions = (topology: number) =>
  request("get", "/api/topologies/{topology_id}/versions", { path: { topology_id: topology } });
export const fetchDifferences = (topology: number, before: string, after: string) =>
  request("get", "/api/topologies/{topology_id}/differences", {
    path: { topology_id: topology },
    query: { before, after },
  });
export const fetchVersion = (id: number) => request("get", "/api/versions/{version_id}", { path: { version_id: id } });

export const previewDeploy = (deployment: Partial<Deploy>) =>
  request("post", "/api/jobs/preview-deploy", { body: deployment });
export const deploy = (deployment: Partial<Deploy>) => request("post", "/api/jobs/deploy", { body: deployment });
export const fetchSettingsSchema = () => request("get", "/api/jobs/settings-schema");
export const listStreamsSettings = () => request("get", "/api/jobs/streams-settings");
export const listJobs = async () => sortByName(await request("get", "/api/jobs"));
export const fetchJob = (id: number) => request("get", "/api/jobs/{job_id}", { path: { job_id: id } });
export const stopJob = (id: number) => request("post", "/api/jobs/{job_id}/stop", { path: { job_id: id } });
export const restartJob = (id: number) => request("post", "/api/jobs/{job_id}/restart", { path: { job_id: id } });
export const deleteJob = (id: number) => request("delete", "/api/jobs/{job_id}", { path: { job_id: id } });
export const listRuns = (job: number) => request("get", "/api/jobs/{job_id}/runs", { path: { job_id: job } });
export const listEvents = (job: number) => request("get", "/api/jobs/{job_id}/events", { path: { job_id: job } });
export const fetchEngines = (job: number) => request("get", "/api/jobs/{job_id}/engines", { path: { job_id: job } });
export const listSubjectsOf = (job: number) => request("get", "/api/jobs/{job_id}/subjects", { path: { job_id: job } });
export const measureDisk = (job: number) => request("get", "/api/jobs/{job_id}/disk", { path: { job_id: job } });
export const listTables = (job: number) => request("get", "/api/jobs/{job_id}/tables", { path: { job_id: job } });
export const queryRows = async (job: number, store: string, query: RowsQuery) => {
  const ask = { path: { job_id: job, store }, query: { ...query, as_text: true } };
  return (await request("get", "/api/jobs/{job_id}/tables/{store}", ask)) as TableRows; // by `as_text` one of the two
};
/** The kept batches of a job. Without times those of the last hours. */
export const listBatches = (job: number, between: { readonly since?: number; readonly until?: number }) =>
  request("get", "/api/jobs/{job_id}/batches", { path: { job_id: job }, query: between });
/** What nodes did in a kept batch. With a node and a port, also the records that left there. */
export const lookAtBatch = (job: number, number: number, place: { readonly node?: string; readonly port?: string }) =>
  request("get", "/api/jobs/{job_id}/batches/{number}", { path: { job_id: job, number }, query: place });
export const listTablesThen = (job: number, number: number) =>
  request("get", "/api/jobs/{job_id}/batches/{number}/tables", { path: { job_id: job, number } });
export const queryRowsThen = (job: number, number: number, store: string, query: RowsQuery) =>
  request("get", "/api/jobs/{job_id}/batches/{number}/tables/{store}", { path: { job_id: job, number, store }, query });
/** The records that made a row what it is after a batch, or after one of its inputs. `before` asks for older ones. */
export const explainRow = (job: number, number: number, row: StoredRow, until: Origin | null, before: number | null) =>
  request("post", "/api/jobs/{job_id}/batches/{number}/why", {
    path: { job_id: job, number },
    body: { row, until, before },
  });
/** What made a record: its batch, its input record, and the rows that it met on its way. */
export const explainRecord = (job: number, place: RecordToExplain) =>
  request("post", "/api/jobs/{job_id}/why-record", { path: { job_id: job }, body: place });
/** The path of an input record of a kept batch, or of its first one, with all of its input records. */
export const stepThrough = (job: number, number: number, record: Origin | null, through: "version" | "draft") =>
  request("post", "/api/jobs/{job_id}/batches/{number}/step", {
    path: { job_id: job, number },
    body: { record, through },
  });
/** The newest records of a node in kept batches for which a condition is true. */
export const searchBatches = (job: number, number: number, search: BatchSearch) =>
  request("post", "/api/jobs/{job_id}/batches/{number}/search", { path: { job_id: job, number }, body: search });
/** Breakpoints that stop nothing: conditions that are watched in the batches that the job commits. */
export const listBreakpoints = (job: number) =>
  request("get", "/api/jobs/{job_id}/breakpoints", { path: { job_id: job } });
export const setBreakpoint = (job: number, breakpoint: NewBreakpoint) =>
  request("post", "/api/jobs/{job_id}/breakpoints", { path: { job_id: job }, body: breakpoint });
export const removeBreakpoint = (job: number, id: number) =>
  request("delete", "/api/jobs/{job_id}/breakpoints/{breakpoint_id}", { path: { job_id: job, breakpoint_id: id } });
export const fetchLiveState = (job: number) => request("get", "/api/jobs/{job_id}/live", { path: { job_id: job } });
export const fetchJobHistory = (job: number) => request("get", "/api/jobs/{job_id}/history", { path: { job_id: job } });

export const listUsers = async () => sortByName(await request("get", "/api/users"));
export const createUser = (user: NewUser) => request("post", "/api/users", { body: user });
export const changeUser = (id: number, change: UserChange) =>
  request("patch", "/api/users/{user_id}", { path: { user_id: id }, body: change });
export const changePassword = (old: string, password: string) =>
  request("put", "/api/password", { body: { old, new: password } });
export const listGroups = async () => sortByName(await request("get", "/api/groups"));
export const createGroup = (name: string) => request("post", "/api/groups", { body: { name } });
export const deleteGroup = (name: string) => request("delete", "/api/groups/{name}", { path: { name } });
export const listProjectPeople = async () => sortByName(await request("get", "/api/projects"));
export const createProject = (name: string) =>
  request("post", "/api/projects", { body: { name } }).finally(forgetRights);
export const deleteProject = (name: string) =>
  request("delete", "/api/projects/{project}", { path: { project: name } }).finally(forgetRights);
export const giveRole = (
  project: string,
  grant: { readonly user: string; readonly group: string; readonly role: GivenRole | null },
) => request("put", "/api/projects/{project}/roles", { path: { project }, body: grant }).finally(forgetRights);
/** Names the fields that test cases from real records must not show. */
export const setPrivateFields = (project: string, fields: string[]) =>
  request("put", "/api/projects/{project}/private-fields", { path: { project }, body: { fields } });

export const listDeadLetters = (job: number, query: DeadLettersQuery) =>
  request("get", "/api/jobs/{job_id}/letters", { path: { job_id: job }, query });
export const tryDeadLetters = (job: number, selection: ChosenDeadLetters) =>
  request("post", "/api/jobs/{job_id}/letters/try", { path: { job_id: job }, body: selection });
export const listRedrives = (job: number) => request("get", "/api/jobs/{job_id}/redrives", { path: { job_id: job } });
export const createRedrive = (job: number, redrive: NewRedrive) =>
  request("post", "/api/jobs/{job_id}/redrives", { path: { job_id: job }, body: redrive });
export const stopRedrive = (job: number, id: number) =>
  request("post", "/api/jobs/{job_id}/redrives/{redrive_id}/stop", { path: { job_id: job, redrive_id: id } });

export const listAuditEntries = (query: AuditQuery, before: number | null) =>
  request("get", "/api/audit", { query: { ...query, before } });
export const makeAuditAddress = (query: AuditQuery) => makeAddress("/api/audit.csv", { query });
export const fetchPastNumbers = (job: number, span: Span, node: string, hasBefore: boolean) =>
  request("get", "/api/jobs/{job_id}/metrics", { path: { job_id: job }, query: { span, node, has_before: hasBefore } });
export const makeMetricsAddress = (job: number, span: Span, node: string) =>
  makeAddress("/api/jobs/{job_id}/metrics.csv", { path: { job_id: job }, query: { span, node } });

export const listOpenAlerts = () => request("get", "/api/alerts");
export const listEndedAlerts = () => request("get", "/api/alerts", { query: { has_ended: true } });
export const listAlertRules = () => request("get", "/api/alerts/rules");
/** For a job or a project. Without both, for all that have no rule of their own. */
export const setAlertRule = (kind: AlertKind, { job, project }: RuleOf, rule: NewRule) => {
  if (job !== null) {
    return request("put", "/api/jobs/{job_id}/alert-rules/{kind}", { path: { job_id: job, kind }, body: rule });
  }
  return project === null
    ? request("put", "/api/alerts/rules/{kind}", { path: { kind }, body: rule })
    : request("put", "/api/projects/{project}/alert-rules/{kind}", { path: { project, kind }, body: rule });
};
export const resetAlertRule = (kind: AlertKind, { job, project }: RuleOf) => {
  if (job !== null) return request("delete", "/api/jobs/{job_id}/alert-rules/{kind}", { path: { job_id: job, kind } });
  return project === null
    ? request("delete", "/api/alerts/rules/{kind}", { path: { kind } })
    : request("delete", "/api/projects/{project}/alert-rules/{kind}", { path: { project, kind } });
};
export const listSilences = () => request("get", "/api/alerts/silences");
/** For a job, or for a host if null. */
export const silenceAlerts = (job: number | null, { host, ...silence }: NewSilence) =>
  job === null
    ? request("post", "/api/alerts/silences", { body: { ...silence, host: host ?? "" } })
    : request("post", "/api/jobs/{job_id}/silences", { path: { job_id: job }, body: silence });
export const endSilence = ({ id, job }: Silence) =>
  job === null
    ? request("delete", "/api/alerts/silences/{silence_id}", { path: { silence_id: id } })
    : request("delete", "/api/jobs/{job_id}/silences/{silence_id}", { path: { job_id: job, silence_id: id } });
export const listChannels = () => request("get", "/api/alerts/channels");
export const addChannel = (channel: NewChannel) => request("post", "/api/alerts/channels", { body: channel });
export const deleteChannel = (id: number) =>
  request("delete", "/api/alerts/channels/{channel_id}", { path: { channel_id: id } });
export const testChannel = (id: number) =>
  request("post", "/api/alerts/channels/{channel_id}/test", { path: { channel_id: id } });
export const listDeliveries = () => request("get", "/api/alerts/deliveries");

type RuleOf = Pick<Rule, "job" | "project">;
