/** Names for the API's generated types. */

import type { Ask, Operation, PathOf } from "./contract";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Graph = Schemas["DraftOut"]["graph"];
export type GraphNode = Schemas["GraphNodeOut"];
/** The settings of a node. The form of its operator describes the members. */
export type NodeConfig = Schemas["NodeConfig"];
export type GraphEdge = Schemas["EdgeOut"];
/** A note or a frame on the canvas. */
export type GraphNote = Schemas["GraphNoteOut"];
/** A graph with the inferred schemas of its sources' records, by node id. */
export type Document = Pick<Draft, "graph" | "schemas">;
export type Point = Schemas["Point"];

export type Rights = Schemas["RightsOut"];
export type RoleName = Rights["projects"][number]["role"];
export type AuditEntry = Schemas["EntryOut"];
export type User = Schemas["UserOut"];
export type NewUser = Schemas["UserIn"];
export type UserChange = Schemas["UserChange"];
export type Group = Schemas["GroupOut"];
export type ProjectPeople = Schemas["ProjectPeopleOut"];
export type GivenRole = ProjectPeople["holders"][number]["role"];
export type Catalogue = Schemas["CatalogueOut"];
export type Operator = Schemas["OperatorOut"];
export type Topology = Schemas["TopologyOut"];
export type StateEstimate = Schemas["StateEstimateOut"];
export type StateEstimateRequest = Ask<Operation<"post", "/api/trials/state">>["body"];
export type AggregateStep = Schemas["AggregateStepOut"];
/** The newest proof of a job, and what it knows so far. */
export type Proof = Schemas["ProofOut"];
export type ProofReport = Schemas["ProofReportOut"];
export type ProofDifference = Schemas["ProofDifferenceOut"];
export type DifferenceToKeep = Schemas["MadeCaseIn"];
export type RecordsToKeep = Schemas["RecordsCaseIn"];
export type MadeCase = Schemas["MadeCaseOut"];
export type ProofGrade = ProofDifference["grade"];
/** The newest correction of a job, and what it would send. */
export type Correction = Schemas["CorrectionOut"];
export type CorrectionPreview = Schemas["CorrectionPreview"];
export type OneCorrection = Schemas["OneCorrection"];
export type NewCorrection = Ask<Operation<"post", "/api/jobs/{job_id}/correction">>["body"];
/** The pinned batches of a job, and the limits of what is kept. */
export type Pins = Schemas["PinsOut"];
/** The newest cut over of a job, and the way back. */
export type CutOver = Schemas["CutOverOut"];
/** A Kafka Streams application, and the drawing that is to continue it. */
export type Adoption = Ask<Operation<"post", "/api/jobs/adopt">>["body"];
export type StreamsApplication = Schemas["StreamsApplicationOut"];
export type ApplicationComparison = Schemas["ComparisonOut"];
export type WayBack = Schemas["WayBackOut"];
/** A kept batch of a job, and what nodes did in it. */
export type KeptBatch = Schemas["BatchOut"];
export type KeptBatches = Schemas["BatchesOut"];
export type PastBatch = Schemas["PastBatchOut"];
export type PastCounts = PastBatch["nodes"][string];
export type SteppedWay = Schemas["StepThroughOut"];
export type BatchSearch = Schemas["BatchSearchIn"];
export type BatchHits = Schemas["BatchSearchOut"];
/** A condition that is watched in the batches of a job, and its first hit. */
export type Breakpoint = Schemas["BreakpointOut"];
export type NewBreakpoint = Schemas["BreakpointIn"];
export type RecordToExplain = Schemas["WhyRecordIn"];
export type RecordStory = Schemas["WhyRecordOut"];
/** Why a row of a table is what it is. */
export type RowStory = Schemas["WhyRowOut"];
export type NewProof = Ask<Operation<"post", "/api/jobs/{job_id}/proof">>["body"];
export type Windows = NonNullable<Schemas["TopologyDescriptionIn"]["windows"]>;
export type WindowChoice = Windows[string];
export type ImportResult = Schemas["ImportedTopologyOut"];
export type Acls = Schemas["AclsOut"];
export type Note = Schemas["NoteOut"];
export type Application = Schemas["ApplicationOut"];
export type Draft = Schemas["DraftOut"];
export type Version = Schemas["VersionOut"];
export type Differences = Schemas["DifferencesOut"];
export type VersionSummary = Schemas["VersionSummary"];
export type Deploy = Schemas["DeployIn"];
export type Preview = Schemas["PreviewOut"];
export type JobSettings = Schemas["JobSettings"];
/** The settings that a deploy changes. */
export type SettingsChange = Schemas["JobSettingsIn"];
export type Durability = Schemas["DurabilityOut"];
export type PartitionSpread = Schemas["SpreadOut"];
export type StateChange = Schemas["StateChangeOut"];
export type Subject = Schemas["SubjectOut"];
export type SubjectDetails = Schemas["SubjectDetailsOut"];
export type SubjectUse = Schemas["SubjectUseOut"];
export type SubjectVersion = Schemas["SubjectVersionOut"];
export type SinkSchema = Schemas["SinkSchemaOut"];
export type Loss = Schemas["LossOut"];
export type OnState = Schemas["OnState"];
/** A way for a job to continue. */
export type Way = Schemas["WayOut"];
export type Issue = Schemas["IssueOut"];
export type IssueCode = Schemas["IssueCode"];
/** The fields of the records at a port. */
export type RecordSchema = Schemas["SchemaOut"];
export type RecordSide = Schemas["SideOut"];
export type RecordWindow = Schemas["WindowSpecOut"];
export type Type = Schemas["TypeOut"];
export type Member = Schemas["FieldOut"];
export type CheckAnswer = Schemas["CheckOut"];
export type ExpressionCheck = Schemas["ExpressionOut"];
/** Where a field of a node's records comes from, and where it goes to. */
export type FieldLineage = Schemas["LineageOut"];
export type Column = Schemas["ColumnOut"];
export type JudgedVersion = Schemas["JudgedVersionOut"];
export type GuardReport = Schemas["GuardOut"];
export type GuardQuestion = Ask<Operation<"post", "/api/clusters/{name}/topics/{topic}/guard">>["body"];
export type FunctionHelp = Schemas["FunctionOut"];
export type Topic = Schemas["TopicOut"];
export type Cluster = Schemas["ClusterOut"];
/** The schema of a registry that a record is written with. */
export type RecordSchemaOfRegistry = Schemas["RecordSchemaOut"];
export type TopicSchema = Schemas["TopicSchemaOut"];
export type Access = Schemas["AccessOut"];
export type Connection = Schemas["ConnectionIn"];
export type NewCluster = Schemas["ClusterIn"];
export type ApiToken = Schemas["TokenOut"];
export type NewApiToken = Schemas["TokenIn"];
export type Host = Schemas["HostOut"];
export type SparkCluster = Schemas["SparkClusterOut"];
export type SparkConnection = Schemas["SparkConnectionIn"];
export type NewSparkCluster = Schemas["SparkClusterIn"];
export type SparkProbe = Schemas["ProbeOut"];
export type NewTopic = Schemas["TopicIn"];
export type Examples = Schemas["ExamplesOut"];
export type Doubt = Schemas["DoubtOut"];
export type Message = Schemas["MessageOut"];
export type Table = Schemas["TableOut"];
/** A row with its key and value as JSON text, so that long numbers keep all digits. */
export type TableRow = Schemas["TextRowOut"];
export type TableRows = Schemas["TextRowsOut"];
export type Trial = Schemas["TrialOut"];
export type TriedWindows = Schemas["WindowsOut"];
export type TrialResult = Schemas["TrialResultOut"];
export type TestCase = Schemas["TestCaseOut"];
export type CaseChange = Schemas["TestCaseChange"];
export type Verdict = Schemas["VerdictOut"];
export type NewRecord = Schemas["NewRecordIn"];
export type RecordMetadata = Schemas["RecordMetadataOut"];
export type NewRecords = Schemas["NewRecordsIn"];
export type FormatName = NonNullable<NewRecords["key_format"]>;
export type TopicFacts = Schemas["TopicFactsOut"];
export type TopicDetails = Schemas["TopicDetailsOut"];
export type TopicEnds = Schemas["TopicEndsOut"];
export type TopicChange = Schemas["TopicChangeIn"];
export type TopicSetting = Schemas["TopicSettingOut"];
export type TopicUse = Schemas["UseOut"];
export type RecordSearch = Schemas["SearchIn"];
export type FoundRecords = Schemas["FoundRecordsOut"];
export type DeadLetters = Schemas["DeadLettersOut"];
export type DeadLetterGroup = Schemas["DeadLetterGroupOut"];
export type ShownDeadLetter = Schemas["ShownDeadLetterOut"];
export type ChosenDeadLetters = Schemas["ChosenDeadLettersIn"];
export type TriedDeadLetters = Schemas["TriedDeadLettersOut"];
/** The arrival of a record at a node during a trial. */
export type Step = Schemas["StepOut"];
export type FollowedWay = Schemas["FollowOut"];
/** The same in the job's batch that read the record. */
export type JobWay = Schemas["FollowJobOut"];
/** A row of a table, by the JSON text of its key. */
export type StoredRow = Schemas["StoredRowIn"];
/** A record that left a node in a step. */
export type LeftRecord = Schemas["LeftIn"];
/** A record of a topic. */
export type Origin = Schemas["OriginOut"];
export type RecordInputs = Schemas["InputsOut"];
export type InputRecord = Schemas["InputRecordOut"];
/** Why nothing comes out of a node. */
export type WhyAnswer = Schemas["Answer"];
export type Redrive = Schemas["RedriveOut"];
export type NewRedrive = Schemas["RedriveIn"];
export type Disk = Schemas["DiskOut"];
export type EngineUse = Schemas["EngineUseOut"];
export type JobEvent = Schemas["EventOut"];
/** A form or one of its fields, in JSON Schema with hints for drawing. */
export type FormSchema = Schemas["FormSchemaOut"];
export type Job = Schemas["JobOut"];
export type Run = Schemas["RunOut"];

export type Alert = Schemas["AlertOut"];
export type Kind = Schemas["KindOut"];
export type Rule = Schemas["RuleOut"];
export type NewRule = Schemas["RuleIn"];
export type Silence = Schemas["SilenceOut"];
export type NewSilence = Schemas["WideSilenceIn"];
export type Channel = Schemas["ChannelOut"];
export type NewChannel = Schemas["ChannelIn"];
export type Delivery = Schemas["DeliveryOut"];
/** Numbers of a job over an hour up to a week. */
export type PastNumbers = Schemas["LinesOut"];
export type AlertKind = Schemas["AlertKind"];

/** The query of a list, by the path of the list. */
type Query<P extends PathOf<"get">> = NonNullable<Ask<Operation<"get", P>>["query"]>;
export type RowsQuery = Omit<Query<"/api/jobs/{job_id}/tables/{store}">, "as_text">;
export type DeadLettersQuery = Query<"/api/jobs/{job_id}/letters">;
export type AuditQuery = Omit<Query<"/api/audit">, "before">;
/** How far back past numbers reach. */
export type Span = NonNullable<Query<"/api/jobs/{job_id}/metrics">["span"]>;
/** A file with a topology: an export, or another program's description. */
export type ExportFile = Ask<Operation<"post", "/api/topologies/import">>["body"];
