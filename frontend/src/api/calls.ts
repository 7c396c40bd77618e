/** Every question this page asks the API, by name. */

import { resultOf, refusedCheck, type CheckResult } from "./checkResult";
import { Refusal } from "./refusal";
import { request } from "./request";
import type {
  Acls,
  Alert,
  ApiToken,
  Application,
  AuditEntry,
  Brokers,
  CaseChange,
  Catalogue,
  Channels,
  CheckAnswer,
  Cluster,
  Clusters,
  Connection,
  CreatedChannel,
  CreatedToken,
  Delivery,
  Deploy,
  Differences,
  Disk,
  Draft,
  Document,
  TopologyExport,
  ExpressionCheck,
  JobWay,
  FollowedWay,
  FunctionHelp,
  ImportResult,
  Issue,
  JavaProject,
  Job,
  ChosenLetters,
  JobEvent,
  RecordMetadata,
  LeftRecord,
  Letters,
  RecordInputs,
  NewApiToken,
  NewRecords,
  NewRedrive,
  Kind,
  NewChannel,
  NewCluster,
  GivenRole,
  Group,
  Host,
  Hosts,
  NewRule,
  NewSilence,
  NewSparkCluster,
  NewTopic,
  NewUser,
  Origin,
  PastNumbers,
  Point,
  Preview,
  Program,
  ProjectPeople,
  FoundRecords,
  RecordSearch,
  TopicChange,
  TopicDetails,
  TopicEnds,
  TopicFacts,
  Redrive,
  Rule,
  Run,
  Examples,
  FormSchema,
  Silence,
  Skeleton,
  Snapshot,
  SparkCluster,
  StoredRow,
  SparkClusters,
  SparkConnection,
  SparkProbe,
  StreamsSetting,
  Table,
  TableRows,
  TestCase,
  Topic,
  Topology,
  Trial,
  TriedWindows,
  User,
  UserChange,
  TriedLetters,
  Verdict,
  Version,
  VersionSummary,
  WhyAnswer,
} from "./types";

export const catalogue = () => request<Catalogue>("GET", "/api/operators");

export const gallery = () => request<Application[]>("GET", "/api/gallery");
export const everyTopology = () => request<Topology[]>("GET", "/api/topologies");
export const oneTopology = (id: number) => request<Topology>("GET", `/api/topologies/${id}`);
/** In a project, or in the one named default. */
export const importTopology = (content: unknown, project = "default") =>
  request<ImportResult>("POST", `/api/topologies/import?project=${encodeURIComponent(project)}`, content);
export const readDescription = (description: string) =>
  request<Skeleton>("POST", "/api/descriptions/read", { description });
export const createTopology = (name: string, project: string) =>
  request<Topology>("POST", "/api/topologies", { name, project });
export const changeTopology = (id: number, change: { readonly name?: string; readonly slug?: string }) =>
  request<Topology>("PATCH", `/api/topologies/${id}`, change);
export const moveTopology = (id: number, project: string) =>
  request<Topology>("PUT", `/api/topologies/${id}/project`, { project });
export const deleteTopology = (id: number) => request<null>("DELETE", `/api/topologies/${id}`);
export const exportOf = (id: number) => request<TopologyExport>("GET", `/api/topologies/${id}/export`);
export const programOf = (id: number) => request<Program>("GET", `/api/topologies/${id}/program`);
export const javaOf = (id: number) => request<JavaProject>("GET", `/api/topologies/${id}/java`);
/** The ACLs that its job needs, with commands that give them to `principal`. */
export const aclsOf = (id: number, principal: string) =>
  request<Acls>("GET", `/api/topologies/${id}/acls?${new URLSearchParams({ principal })}`);
/** Those of them that the cluster's user lacks. */
export const missingAcls = (id: number, principal: string) =>
  request<Acls>("POST", `/api/topologies/${id}/acls/check?${new URLSearchParams({ principal })}`);
export const draftOf = (topology: number) => request<Draft>("GET", `/api/topologies/${topology}/draft`);
export const saveDraft = (topology: number, revision: number, document: Document) =>
  request<Draft>("PUT", `/api/topologies/${topology}/draft`, { revision, ...document });
/** A graph that cannot be checked has that as its one problem; fails only when the server does. */
export const checkDocument = (document: Document): Promise<CheckResult> =>
  request<CheckAnswer>("POST", "/api/check", document).then(resultOf, (error: unknown) => {
    if (error instanceof Refusal && error.status >= 400 && error.status < 500) return refusedCheck(error);
    throw error;
  });
export const checkExpression = (document: Document, node: string, field: string, text: string) =>
  request<ExpressionCheck>("POST", "/api/expressions/check", { ...document, node, field, text });
export const tryOut = (document: Document, node: string, cluster: string, lines: string | null) =>
  request<Trial>("POST", "/api/trials", { ...document, node, cluster, lines });
/** The windows of the newest records, of a node that makes windows. */
export const tryWindows = (document: Document, node: string, cluster: string) =>
  request<TriedWindows>("POST", "/api/trials/windows", { ...document, node, cluster });
/** The way of a record through a trial of the whole graph. */
export const followRecord = (document: Document, cluster: string, lines: string | null, origin: Origin) =>
  request<FollowedWay>("POST", "/api/trials/follow", { ...document, ...origin, cluster, lines });
/** The same through a job: its batch is carried out again. */
export const followInJob = (job: number, target: { readonly record: Origin } | { readonly row: StoredRow }) =>
  request<JobWay>("POST", `/api/jobs/${job}/follow`, target);
/** The inputs of its batch that made an output of a record of a job. */
export const inputsInJob = (job: number, record: Origin, output: LeftRecord) =>
  request<RecordInputs>("POST", `/api/jobs/${job}/inputs`, { record, output });
/** The inputs that made an output of a record. */
export const inputsOf = (
  document: Document,
  cluster: string,
  lines: string | null,
  origin: Origin,
  output: LeftRecord,
) => request<RecordInputs>("POST", "/api/trials/inputs", { ...document, ...origin, cluster, lines, output });
/** Why nothing comes out of a node of a job, or of a graph in a trial. */
export const whyOfJob = (job: number, node: string) =>
  request<WhyAnswer>("GET", `/api/jobs/${job}/why/${encodeURIComponent(node)}`);
export const whyOfTrial = (document: Document, node: string, cluster: string) =>
  request<WhyAnswer>("POST", "/api/trials/why", { ...document, node, cluster });
export const casesOf = (topology: number) => request<TestCase[]>("GET", `/api/topologies/${topology}/cases`);
/** Of a graph, or of the draft as it is saved. */
export const runCases = (topology: number, document: (Document & { readonly cluster: string }) | null) =>
  request<Verdict[]>("POST", `/api/topologies/${topology}/cases/run`, document ?? {});
/** What is expected is null: what the graph gives now. */
export const keepCase = (
  topology: number,
  testCase: { readonly name: string; readonly records: string; readonly expected: string | null } & Partial<Document>,
) => request<TestCase>("POST", `/api/topologies/${topology}/cases`, testCase);
export const changeCase = (topology: number, id: number, change: CaseChange) =>
  request<TestCase>("PATCH", `/api/topologies/${topology}/cases/${id}`, change);
export const deleteCase = (topology: number, id: number) =>
  request<null>("DELETE", `/api/topologies/${topology}/cases/${id}`);
export const functions = () => request<FunctionHelp[]>("GET", "/api/expressions/functions");
export const clusters = () => request<Clusters>("GET", "/api/clusters");
export const createCluster = (cluster: NewCluster) => request<Cluster>("POST", "/api/clusters", cluster);
export const changeCluster = (name: string, connection: Connection) =>
  request<Cluster>("PUT", `/api/clusters/${name}`, connection);
export const deleteCluster = (name: string) => request<null>("DELETE", `/api/clusters/${name}`);
export const checkCluster = (name: string) => request<Brokers>("POST", `/api/clusters/${name}/check`);
export const hosts = () => request<Hosts>("GET", "/api/hosts");
export const drainHost = (name: string) => request<Host>("POST", `/api/hosts/${name}/drain`);
export const takeHostBack = (name: string) => request<Host>("POST", `/api/hosts/${name}/take-back`);
export const forgetHost = (name: string) => request<null>("DELETE", `/api/hosts/${name}`);
export const tokens = () => request<ApiToken[]>("GET", "/api/tokens");
export const createToken = (token: NewApiToken) => request<CreatedToken>("POST", "/api/tokens", token);
export const deleteToken = (id: number) => request<null>("DELETE", `/api/tokens/${id}`);
export const sparkClusters = () => request<SparkClusters>("GET", "/api/spark-clusters");
export const createSparkCluster = (cluster: NewSparkCluster) =>
  request<SparkCluster>("POST", "/api/spark-clusters", cluster);
export const changeSparkCluster = (name: string, connection: SparkConnection) =>
  request<SparkCluster>("PUT", `/api/spark-clusters/${name}`, connection);
export const deleteSparkCluster = (name: string) => request<null>("DELETE", `/api/spark-clusters/${name}`);
export const checkSparkCluster = (name: string) => request<SparkProbe>("POST", `/api/spark-clusters/${name}/check`);
export const clusterOf = async (topology: number) =>
  (await request<{ cluster: string }>("GET", `/api/topologies/${topology}/cluster`)).cluster;
export const chooseCluster = (topology: number, cluster: string) =>
  request<{ cluster: string }>("PUT", `/api/topologies/${topology}/cluster`, { cluster });
export const topicIssuesOf = (cluster: string, document: Document) =>
  request<Issue[]>("POST", `/api/clusters/${cluster}/topic-issues`, { graph: document.graph });
export const topics = (cluster: string) => request<Topic[]>("GET", `/api/clusters/${cluster}/topics`);
export const createTopic = (cluster: string, settings: NewTopic) =>
  request<Topic>("POST", `/api/clusters/${cluster}/topics`, settings);
const topicPath = (cluster: string, topic: string) =>
  `/api/clusters/${encodeURIComponent(cluster)}/topics/${encodeURIComponent(topic)}`;
export const produce = (cluster: string, topic: string, records: NewRecords) =>
  request<RecordMetadata[]>("POST", `${topicPath(cluster, topic)}/records`, records);
export const topicFacts = async (cluster: string) =>
  (await request<{ topics: TopicFacts[] }>("GET", `/api/clusters/${encodeURIComponent(cluster)}/topic-facts`)).topics;
export const topicEnds = (cluster: string) =>
  request<TopicEnds>("GET", `/api/clusters/${encodeURIComponent(cluster)}/topic-ends`);
export const topicDetails = (cluster: string, topic: string) =>
  request<TopicDetails>("GET", `${topicPath(cluster, topic)}/facts`);
export const searchRecords = (cluster: string, topic: string, search: RecordSearch) =>
  request<FoundRecords>("POST", `${topicPath(cluster, topic)}/search`, search);
export const changeTopic = (cluster: string, topic: string, change: TopicChange) =>
  request<null>("PATCH", `${topicPath(cluster, topic)}/settings`, change);
export const emptyTopic = (cluster: string, topic: string) =>
  request<null>("POST", `${topicPath(cluster, topic)}/empty`);
export const deleteTopic = (cluster: string, topic: string) => request<null>("DELETE", topicPath(cluster, topic));
export const examplesOf = (cluster: string, topic: string, count = 20) =>
  request<Examples>("GET", `/api/clusters/${cluster}/topics/${topic}?count=${count}`);
export const versionsOf = (topology: number) =>
  request<VersionSummary[]>("GET", `/api/topologies/${topology}/versions`);
export const differencesOf = (topology: number, before: string, after: string) =>
  request<Differences>("GET", `/api/topologies/${topology}/differences?before=${before}&after=${after}`);
export const version = (id: number) => request<Version>("GET", `/api/versions/${id}`);

export const previewDeploy = (deployment: Partial<Deploy>) =>
  request<Preview>("POST", "/api/jobs/preview-deploy", deployment);
export const deploy = (deployment: Partial<Deploy>) => request<Job>("POST", "/api/jobs/deploy", deployment);
export const settingsSchema = () => request<FormSchema>("GET", "/api/jobs/settings-schema");
export const streamsSettings = () => request<StreamsSetting[]>("GET", "/api/jobs/streams-settings");
export const everyJob = () => request<Job[]>("GET", "/api/jobs");
export const oneJob = (id: number) => request<Job>("GET", `/api/jobs/${id}`);
export const stopJob = (id: number) => request<Job>("POST", `/api/jobs/${id}/stop`);
export const restartJob = (id: number) => request<Job>("POST", `/api/jobs/${id}/restart`);
export const deleteJob = (id: number) => request<null>("DELETE", `/api/jobs/${id}`);
export const runsOf = (job: number) => request<Run[]>("GET", `/api/jobs/${job}/runs`);
export const eventsOf = (job: number) => request<JobEvent[]>("GET", `/api/jobs/${job}/events`);
export const diskOf = (job: number) => request<Disk>("GET", `/api/jobs/${job}/disk`);
export const tablesOf = (job: number) => request<Table[]>("GET", `/api/jobs/${job}/tables`);
export const rowsOf = (job: number, store: string, question: string) =>
  request<TableRows>("GET", `/api/jobs/${job}/tables/${encodeURIComponent(store)}?as_text=true&${question}`);
export const liveState = (job: number) => request<Snapshot>("GET", `/api/jobs/${job}/live`);
export const jobHistory = (job: number) => request<Point[]>("GET", `/api/jobs/${job}/history`);

export const users = () => request<User[]>("GET", "/api/users");
export const createUser = (user: NewUser) => request<User>("POST", "/api/users", user);
export const changeUser = (id: number, change: UserChange) => request<User>("PATCH", `/api/users/${id}`, change);
export const changePassword = (old: string, password: string) =>
  request<null>("PUT", "/api/password", { old, new: password });
export const groups = () => request<Group[]>("GET", "/api/groups");
export const createGroup = (name: string) => request<Group>("POST", "/api/groups", { name });
export const deleteGroup = (name: string) => request<null>("DELETE", `/api/groups/${encodeURIComponent(name)}`);
export const listProjectPeople = () => request<ProjectPeople[]>("GET", "/api/projects");
export const createProject = (name: string) => request<ProjectPeople>("POST", "/api/projects", { name });
export const deleteProject = (name: string) => request<null>("DELETE", `/api/projects/${name}`);
export const giveRole = (
  project: string,
  grant: { readonly user: string; readonly group: string; readonly role: GivenRole | null },
) => request<ProjectPeople>("PUT", `/api/projects/${project}/roles`, grant);

export const lettersOf = (job: number, question: string) =>
  request<Letters>("GET", `/api/jobs/${job}/letters?${question}`);
export const tryLetters = (job: number, selection: ChosenLetters) =>
  request<TriedLetters>("POST", `/api/jobs/${job}/letters/try`, selection);
export const redrivesOf = (job: number) => request<Redrive[]>("GET", `/api/jobs/${job}/redrives`);
export const createRedrive = (job: number, redrive: NewRedrive) =>
  request<Redrive>("POST", `/api/jobs/${job}/redrives`, redrive);
export const stopRedrive = (job: number, id: number) =>
  request<Redrive>("POST", `/api/jobs/${job}/redrives/${id}/stop`);

export const auditEntries = (question: string, before: number | null) =>
  request<AuditEntry[]>("GET", `/api/audit?${question}${before === null ? "" : `&before=${before}`}`);
export const auditAddress = (question: string) => `/api/audit.csv?${question}`;
export const pastNumbers = (job: number, span: string, node: string, hasBefore: boolean) =>
  request<PastNumbers>(
    "GET",
    `/api/jobs/${job}/metrics?span=${span}&node=${encodeURIComponent(node)}&has_before=${String(hasBefore)}`,
  );
export const metricsCsv = (job: number, span: string, node: string) =>
  `/api/jobs/${job}/metrics.csv?span=${span}&node=${encodeURIComponent(node)}`;

export const openAlerts = () => request<Alert[]>("GET", "/api/alerts");
export const endedAlerts = () => request<Alert[]>("GET", "/api/alerts?has_ended=true");
export const alertRules = () => request<Kind[]>("GET", "/api/alerts/rules");
/** Of a job or a project, or without both of all that have none of their own. */
export const setAlertRule = (kind: string, of: RuleOf, rule: NewRule) =>
  request<Rule>("PUT", ruleOf(kind, of), rule);
export const resetAlertRule = (kind: string, of: RuleOf) => request<null>("DELETE", ruleOf(kind, of));
export const silences = () => request<Silence[]>("GET", "/api/alerts/silences");
/** Of a job, or for null of a host. */
export const silenceAlerts = (job: number | null, { host, ...silence }: NewSilence) =>
  request<Silence>("POST", silencesOf(job), job === null ? { ...silence, host } : silence);
export const endSilence = ({ id, job }: Silence) => request<null>("DELETE", `${silencesOf(job)}/${id}`);
export const channels = () => request<Channels>("GET", "/api/alerts/channels");
export const addChannel = (channel: NewChannel) => request<CreatedChannel>("POST", "/api/alerts/channels", channel);
export const deleteChannel = (id: number) => request<null>("DELETE", `/api/alerts/channels/${id}`);
export const testChannel = (id: number) => request<Delivery>("POST", `/api/alerts/channels/${id}/test`);
export const deliveries = () => request<Delivery[]>("GET", "/api/alerts/deliveries");

type RuleOf = Pick<Rule, "job" | "project">;

function ruleOf(kind: string, { job, project }: RuleOf): string {
  if (job !== null) return `/api/jobs/${job}/alert-rules/${kind}`;
  return project === null ? `/api/alerts/rules/${kind}` : `/api/projects/${project}/alert-rules/${kind}`;
}

function silencesOf(job: number | null): string {
  return job === null ? "/api/alerts/silences" : `/api/jobs/${job}/silences`;
}
